/**
 * What a scenario expects of a run, and how what it found differs: one class for each key of {@code then}, {@link
 * dev.flowstone.testkit.scenario.check.CheckKind} the table of them. Everything is read from recorded events and the state
 * that they fold to.
 */
@NullMarked
package dev.flowstone.testkit.scenario.check;

import org.jspecify.annotations.NullMarked;
