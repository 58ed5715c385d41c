/** Small promises. */
@NullMarked
package dev.flowstone.testkit.time;

import org.jspecify.annotations.NullMarked;
