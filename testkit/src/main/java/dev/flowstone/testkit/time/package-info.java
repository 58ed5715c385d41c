/** Time that moves only when it is told to. */
@NullMarked
package dev.flowstone.testkit.time;

import org.jspecify.annotations.NullMarked;
