/** Scenario files as JUnit tests. */
@NullMarked
package dev.flowstone.testkit.junit;

import org.jspecify.annotations.NullMarked;
