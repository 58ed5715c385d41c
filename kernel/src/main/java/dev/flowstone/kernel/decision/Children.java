package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.MessageEvent.CallTimedOut;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Message.Operation;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.OpenChild;

/** What an operation on a run does to its children, by the policy of the call that started each (R22). */
final class Children {
    private Children() {}

    /**
     * An operation on the whole run reaches its children, before anything else of it happens.
     *
     * @return whether it has to wait for a child to end ({@code complete_then_cancel})
     */
    static boolean control(Deciding deciding, Operation operation, String reason) {
        boolean waits = false;
        for (OpenChild child : deciding.state().post().children()) {
            if (operation == Operation.SUSPEND || operation == Operation.RESUME) {
                held(deciding, child, operation, reason);
                continue;
            }
            waits |= control(deciding, child, operation, policy(child, operation), reason);
        }
        return waits;
    }

    /**
     * A run that is held goes on one day, and so does a call of it that waits: a child that is waited for is neither let go
     * nor forgotten, but heard when the run goes on.
     */
    private static void held(Deciding deciding, OpenChild child, Operation operation, String reason) {
        boolean suspends = operation == Operation.SUSPEND;
        switch (child.policies().onSuspend()) {
            case CASCADE -> tell(deciding, child, operation, reason);
            case DETACH -> {
                if (suspends && !child.awaited()) {
                    tell(deciding, child, Operation.DETACH, reason);
                }
            }
            case CANCEL_CHILDREN -> {
                if (suspends && child.awaited()) {
                    // An event that says so would make the run forget the child; the suspension itself is the cause.
                    deciding.send(child.run(), new Message.Control(Operation.CANCEL, reason));
                } else if (suspends) {
                    tell(deciding, child, Operation.CANCEL, reason);
                }
            }
            case FENCE_PARENT_ONLY, WAIT, COMPLETE_THEN_CANCEL -> {}
        }
    }

    private static ChildPolicy policy(OpenChild child, Operation operation) {
        return switch (operation) {
            case CANCEL -> child.policies().onCancel();
            case TERMINATE -> child.policies().onTerminate();
            case SUSPEND, RESUME -> child.policies().onSuspend();
            case DETACH -> ChildPolicy.DETACH;
        };
    }

    private static boolean control(
            Deciding deciding, OpenChild child, Operation operation, ChildPolicy policy, String reason) {
        switch (policy) {
            case CASCADE -> tell(deciding, child, operation, reason);
            case DETACH -> tell(deciding, child, Operation.DETACH, reason);
            case CANCEL_CHILDREN -> tell(deciding, child, Operation.CANCEL, reason);
            case FENCE_PARENT_ONLY, WAIT -> {}
            case COMPLETE_THEN_CANCEL -> {
                return child.awaited();
            }
        }
        return false;
    }

    private static void tell(Deciding deciding, OpenChild child, Operation operation, String reason) {
        deciding.emit(new ChildControlled(child.activation(), child.run(), operation, reason));
        deciding.send(child.run(), new Message.Control(operation, reason));
    }

    /**
     * The call is being canceled. A child that may complete first is waited for by the end of the run; one that nothing
     * is done to goes on by itself.
     */
    static void callCanceled(Deciding deciding, ActivationId call, String reason) {
        OpenChild child = deciding.state().post().child(call);
        if (child == null) {
            return;
        }
        Ending ending = deciding.state().ending();
        boolean terminated = ending == Ending.TERMINATING || ending == Ending.KILLED;
        Operation operation = terminated ? Operation.TERMINATE : Operation.CANCEL;
        ChildPolicy policy = policy(child, operation);
        boolean left = policy == ChildPolicy.FENCE_PARENT_ONLY || policy == ChildPolicy.WAIT;
        control(deciding, child, operation, left ? ChildPolicy.DETACH : policy, reason);
    }

    /** The child did not end in time. */
    static void late(Deciding deciding, ActivationId call, ChildPolicy policy) {
        deciding.emit(new CallTimedOut(call, policy));
        OpenChild child = deciding.state().post().child(call);
        if (child == null) {
            return;
        }
        switch (policy) {
            case CASCADE, CANCEL_CHILDREN -> tell(deciding, child, Operation.CANCEL, "PARENT_TIMEOUT");
            case DETACH, FENCE_PARENT_ONLY -> tell(deciding, child, Operation.DETACH, "PARENT_TIMEOUT");
            case COMPLETE_THEN_CANCEL, WAIT -> {}
        }
    }
}
