/** Small promises. */
@NullMarked
package dev.flowstone.testkit.suite;

import org.jspecify.annotations.NullMarked;
