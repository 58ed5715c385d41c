/** Finds the shared reference suites. */
@NullMarked
package dev.flowstone.testkit.suite;

import org.jspecify.annotations.NullMarked;
