package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.ChildPolicies;

/**
 * A child that hasn't ended, as far as its parent knows.
 *
 * @param activation the call that started it
 * @param awaited whether the parent doesn't end before it does
 * @param overdue whether the call's outcome will be {@code timeout}, however the child ends
 */
public record OpenChild(
        ActivationId activation,
        RunId run,
        WorkflowId workflow,
        boolean awaited,
        boolean overdue,
        ChildPolicies policies) {
    OpenChild late() {
        return new OpenChild(activation, run, workflow, awaited, true, policies);
    }
}
