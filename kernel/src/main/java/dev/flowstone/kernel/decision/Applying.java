package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Verdict;

/** Gates: tasks that use what a human task decided, once (R15). */
final class Applying {
    private Applying() {}

    /** Whether this is a gate without a decision that it could use. */
    static boolean lacks(Deciding deciding, Node.Task task, Activation gate) {
        return task.applies().isPresent()
                && deciding.state().verdict(task.applies().get(), gate) == null;
    }

    static TaskError noDecision(Node.Task task) {
        return TaskError.of(
                "NO_DECISION",
                "no decision of " + task.applies().map(Object::toString).orElse("?")
                        + " is there that holds and was not used before");
    }

    /** A gate that has completed has used it. */
    static void applied(Deciding deciding, Node.Task task, Activation gate) {
        Activation now = deciding.state().activation(gate.id());
        boolean completed = now != null && Outcome.SUCCESS.equals(now.outcome());
        if (completed && task.applies().isPresent()) {
            Verdict verdict = deciding.state().verdict(task.applies().get(), gate);
            if (verdict != null) {
                deciding.emit(new HumanEvent.DecisionApplied(gate.id(), verdict.decided()));
            }
        }
    }

    /** The decision became void, or was used by another gate, while this one worked: its effect is real all the same. */
    static void refused(Deciding deciding, Node.Task task, Activation gate, int attempt, TaskAnswer.Ok ok) {
        ActivationId id = gate.id();
        Timers.cancel(deciding, Timers.retry(id));
        CanceledTask.observed(deciding, id, attempt, ok.output());
        deciding.emit(new EventBody.TaskFailed(id, attempt, FailureClass.PERMANENT, noDecision(task), true));
    }
}
