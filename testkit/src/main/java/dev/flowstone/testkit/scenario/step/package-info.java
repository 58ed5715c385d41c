/**
 * What happens to a run in a scenario, one class for each kind of {@code when} entry; {@link
 * dev.flowstone.testkit.scenario.step.StepKind} is the table of them, those that can't run yet included.
 */
@NullMarked
package dev.flowstone.testkit.scenario.step;

import org.jspecify.annotations.NullMarked;
