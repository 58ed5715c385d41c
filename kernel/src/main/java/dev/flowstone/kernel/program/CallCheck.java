package dev.flowstone.kernel.program;

import dev.flowstone.kernel.program.ProgramFault.Code;
import java.util.List;
import java.util.Locale;

/**
 * No call says of an operation what can't be meant by it (R22). Checked when a program is made, not when it is read: one
 * that was stored before goes on as it always did.
 */
final class CallCheck {
    private final Program program;
    private final List<ProgramFault> faults;

    CallCheck(Program program, List<ProgramFault> faults) {
        this.program = program;
        this.faults = faults;
    }

    void run() {
        for (Node node : program.nodes()) {
            if (node instanceof Node.Call call) {
                ChildPolicies policies = call.policies();
                check(
                        call,
                        "cancellation",
                        policies.onCancel(),
                        policies.onCancel().ends());
                check(
                        call,
                        "termination",
                        policies.onTerminate(),
                        policies.onTerminate().ends());
                check(
                        call,
                        "suspension",
                        policies.onSuspend(),
                        policies.onSuspend().suspends());
                check(
                        call,
                        "timeout",
                        policies.onTimeout(),
                        policies.onTimeout().timesOut());
            }
        }
    }

    private void check(Node.Call call, String operation, ChildPolicy policy, boolean meant) {
        if (!meant) {
            faults.add(ProgramFault.of(
                    Code.INVALID_CHILD_POLICY,
                    call,
                    "the child policy " + policy.name().toLowerCase(Locale.ROOT) + " of call " + call.id()
                            + " means nothing for a " + operation));
        }
    }
}
