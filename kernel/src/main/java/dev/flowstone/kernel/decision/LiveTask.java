package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Ending;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer to an activation that waits for one: a success of any attempt counts, a failure only of the one that is open
 * (R12).
 */
final class LiveTask {
    /** What an attempt comes to whose node has died. */
    static final TaskAnswer.Failed LOST = new TaskAnswer.Failed(
            FailureClass.RETRYABLE, TaskError.of("ATTEMPT_LOST", "the node that worked on it died"), Optional.empty());

    private LiveTask() {}

    static void answered(Deciding deciding, Node.Task task, Activation activation, int attempt, TaskAnswer answer) {
        ActivationId id = activation.id();
        Attempt open = deciding.state().attempt(id);
        boolean current = open != null && open.attempt() == attempt;
        switch (answer) {
            case TaskAnswer.Ok ok
            when Applying.lacks(deciding, task, activation) ->
                Applying.refused(deciding, task, activation, attempt, ok);
            case TaskAnswer.Ok ok -> {
                succeeded(deciding, id, attempt, current, ok);
                Applying.applied(deciding, task, activation);
            }
            case TaskAnswer.Skipped skipped -> {
                Timers.cancel(deciding, Timers.retry(id));
                deciding.emit(new EventBody.TaskSkipped(id, attempt, skipped.reason()));
            }
            case TaskAnswer.Failed failed when current -> failed(deciding, task, id, attempt, failed);
            case TaskAnswer.TimedOut _ when current -> timedOut(deciding, task, id, attempt);
            case TaskAnswer.Lost _ when current -> lost(deciding, task, id, attempt);
            case TaskAnswer.Returned _
            when current && !isReturned(open) -> deciding.emit(new EventBody.TaskReturned(id, attempt));
            case TaskAnswer.Failed _, TaskAnswer.TimedOut _, TaskAnswer.Lost _, TaskAnswer.Returned _ -> {}
        }
    }

    private static boolean isReturned(@Nullable Attempt open) {
        return open != null && open.returned();
    }

    private static void succeeded(Deciding deciding, ActivationId id, int attempt, boolean current, TaskAnswer.Ok ok) {
        Optional<SortedMap<NodeId, Long>> pruned = ContextPruning.making(deciding, id, ok.output());
        if (pruned.isEmpty()) {
            if (current) {
                refused(deciding, id, attempt, ContextBound.failure(deciding, ok.output()));
            }
        } else if (completed(deciding, new EventBody.TaskCompleted(id, attempt, ok.output()))) {
            ContextPruning.prune(deciding, pruned.get());
        } else if (current) {
            refused(deciding, id, attempt, Answers.tooLarge(ok.output(), deciding.bounds()));
        }
    }

    /** False, and nothing is emitted, if it is longer than an event may be. */
    private static boolean completed(Deciding deciding, EventBody.TaskCompleted completed) {
        if (deciding.state().timer(Timers.retry(completed.activation())) == null) {
            return deciding.offer(completed);
        }
        boolean recordable = Answers.recordable(completed.output(), deciding.bounds());
        if (recordable) {
            Timers.cancel(deciding, Timers.retry(completed.activation()));
            deciding.emit(completed);
        }
        return recordable;
    }

    /** A success that can't be recorded as one. */
    private static void refused(Deciding deciding, ActivationId id, int attempt, TaskAnswer.Failed instead) {
        deciding.emit(new EventBody.TaskFailed(id, attempt, instead.failure(), instead.error(), true));
    }

    private static void failed(
            Deciding deciding, Node.Task task, ActivationId id, int attempt, TaskAnswer.Failed failed) {
        boolean retryable = switch (failed.failure()) {
            case RETRYABLE, EXTERNAL_LIMIT -> true;
            case PERMANENT, POLICY_DENIED -> false;
        };
        boolean again = retryable && triesAgain(deciding, task, attempt);
        deciding.emit(new EventBody.TaskFailed(id, attempt, failed.failure(), failed.error(), !again));
        if (again) {
            Duration pause = Backoff.after(attempt, task.retry(), deciding.random());
            Duration asked = failed.failure() == FailureClass.EXTERNAL_LIMIT
                    ? failed.retryAfter().orElse(Duration.ZERO)
                    : Duration.ZERO;
            Dispatching.after(deciding, task, id, attempt, pause.compareTo(asked) >= 0 ? pause : asked);
        }
    }

    private static void timedOut(Deciding deciding, Node.Task task, ActivationId id, int attempt) {
        boolean again = triesAgain(deciding, task, attempt);
        deciding.emit(new EventBody.TaskTimedOut(id, attempt, !again));
        if (again) {
            Dispatching.after(deciding, task, id, attempt, Backoff.after(attempt, task.retry(), deciding.random()));
        }
    }

    /** The attempt is used up; its successor follows at once. */
    private static void lost(Deciding deciding, Node.Task task, ActivationId id, int attempt) {
        boolean again = triesAgain(deciding, task, attempt);
        deciding.emit(new EventBody.TaskFailed(id, attempt, LOST.failure(), LOST.error(), !again));
        if (again) {
            Dispatching.attempt(deciding, task, id, attempt + 1);
        }
    }

    private static boolean triesAgain(Deciding deciding, Node.Task task, int attempt) {
        return attempt < task.retry().attempts() && deciding.state().ending() == Ending.NONE;
    }
}
