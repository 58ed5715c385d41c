/** The database in memory keeps every promise of the conformance suites. */
@NullMarked
package dev.flowstone.testkit.memory;

import org.jspecify.annotations.NullMarked;
