/** Scenario files as JUnit tests, and the folders of tests. */
@NullMarked
package dev.flowstone.testkit.junit;

import org.jspecify.annotations.NullMarked;
