package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.ProblemCode;
import java.time.Duration;
import java.util.Optional;

/** What became of an arrival that was to start something. */
public sealed interface Launched {
    /** The trigger is turned off. */
    record Off() implements Launched {}

    /** Its workflow takes no executions. */
    record Closed(Trigger.Target target) implements Launched {
        public Closed {
            requireNonNull(target);
        }
    }

    /** Its activation condition is false. */
    record Ignored(String reason) implements Launched {
        public Ignored {
            requireNonNull(reason);
        }
    }

    /** Its activation condition can't be told of what came. */
    record Untold(String error) implements Launched {
        public Untold {
            requireNonNull(error);
        }
    }

    /** A start was asked for. */
    record Asked(String requestId, Starts.Outcome outcome) implements Launched {
        public Asked {
            requireNonNull(requestId);
            requireNonNull(outcome);
        }
    }

    /** A signal was sent, or was before. */
    record Signaled(String type, String key) implements Launched {
        public Signaled {
            requireNonNull(type);
            requireNonNull(key);
        }
    }

    /**
     * A signal wasn't sent.
     *
     * @param way to the node that can
     * @param retryAfter zero if it isn't only for now
     */
    record Unsent(String code, String reason, Optional<Way> way, Duration retryAfter) implements Launched {
        public Unsent {
            requireNonNull(code);
            requireNonNull(reason);
            requireNonNull(way);
            requireNonNull(retryAfter);
        }
    }

    /** Where a signal belongs. */
    record Way(Member owner, String type, String key) {
        public Way {
            requireNonNull(owner);
            requireNonNull(type);
            requireNonNull(key);
        }
    }

    /**
     * A start that was asked for.
     *
     * @throws IllegalStateException if a fault of ours is what came of it
     * @throws JournalException.BadData if something in it can't be stored
     */
    static Launched asked(String requestId, Starts.Outcome outcome) throws JournalException.BadData {
        if (outcome instanceof Starts.Outcome.Answered(StartAnswer.Refused refused)) {
            if (refused.isFault()) {
                throw new IllegalStateException(refused.code() + ": " + refused.reason());
            }
            if (refused.isUnstorable()) {
                throw new JournalException.BadData(refused.reason());
            }
        }
        return new Asked(requestId, outcome);
    }

    /**
     * The start failed, whoever is to blame.
     *
     * @param kept whether it is a dead letter, and tried again
     */
    record Lost(boolean kept) implements Launched {}

    /** Whether nothing was asked for, as the trigger and its workflow are now: they may have been otherwise before. */
    default boolean isAsTheTriggerIs() {
        return switch (this) {
            case Off _, Closed _, Ignored _, Untold _ -> true;
            case Asked _, Signaled _, Unsent _, Lost _ -> false;
        };
    }

    /** Whether the same may come out otherwise soon. */
    default boolean isForNow() {
        if (this instanceof Unsent(String code, String _, var _, var _)) {
            return code.equals(ProblemCode.BUSY.name());
        }
        return this instanceof Asked(String _, Starts.Outcome outcome)
                && switch (outcome) {
                    case Starts.Outcome.Answered(StartAnswer.Busy _),
                            Starts.Outcome.Answered(StartAnswer.OverQuota _),
                            Starts.Outcome.NotNow() -> true;
                    case Starts.Outcome.Answered(StartAnswer.Refused(String code, String _)) ->
                        code.equals(ProblemCode.SUSPENDED.name());
                    default -> false;
                };
    }

    /** The node that can send the signal, if this one can't. */
    default Optional<Way> elsewhere() {
        return this instanceof Unsent(String _, String _, Optional<Way> way, Duration _) ? way : Optional.empty();
    }

    /** Whether the tenant has started as much as it may, so that nothing else of it can be started either. */
    default boolean isOverQuota() {
        return this instanceof Asked(String _, Starts.Outcome.Answered(StartAnswer.OverQuota _));
    }

    /** For how long whoever is to come again should stay away at least. */
    default Duration retryAfter() {
        return switch (this) {
            case Asked(String _, Starts.Outcome.Answered(StartAnswer.OverQuota(String _, Duration wait))) -> wait;
            case Asked(String _, Starts.Outcome.Answered(StartAnswer.Busy(String _, Duration wait, var _))) -> wait;
            case Unsent(String _, String _, var _, Duration wait) -> wait;
            default -> Duration.ZERO;
        };
    }

    /** What is written down of it where nobody waits for an answer. */
    default Result result() {
        return switch (this) {
            case Off() -> refused(ProblemCode.TRIGGER_DISABLED, "the trigger is turned off");
            case Closed(Trigger.Target target) ->
                refused(ProblemCode.NOT_EXECUTABLE, "workflow '" + target.workflow() + "' takes no executions");
            case Ignored(String reason) -> Result.ignored(reason);
            case Untold(String error) -> refused(ProblemCode.WFENG005, untold(error));
            case Signaled(String type, String key) -> Result.signaled(signaled(type, key));
            case Unsent(String code, String reason, var _, var _) -> Result.refused(code, reason);
            case Lost(boolean kept) -> refused(ProblemCode.INTERNAL, lost(kept));
            case Asked(String _, Starts.Outcome outcome) -> result(outcome);
        };
    }

    /** The text for {@link Untold}. */
    static String untold(String error) {
        return "the trigger's activation condition can't be told of what was sent: " + error;
    }

    /** The text for {@link Signaled}. */
    static String signaled(String type, String key) {
        return "signal '" + type + "' was sent to whoever waits for it under the key '" + key + "'";
    }

    /** The text for {@link Lost}. */
    static String lost(boolean kept) {
        return "the execution can't be started; "
                + (kept ? "what was sent is kept and tried again" : "nothing was done");
    }

    private static Result result(Starts.Outcome outcome) {
        return switch (outcome) {
            case Starts.Outcome.Answered(StartAnswer answer) -> result(answer);
            case Starts.Outcome.Unknown() -> refused(ProblemCode.WORKFLOW_NOT_FOUND, "there is no such workflow");
            case Starts.Outcome.NotNow() -> refused(ProblemCode.RATE_LIMITED, "the workflow's budget is used up");
            case Starts.Outcome.NotExecutable(var row) ->
                refused(ProblemCode.NOT_EXECUTABLE, "workflow '" + row.id() + "' takes no executions");
            case Starts.Outcome.NoDraft _, Starts.Outcome.BadDraft _ ->
                refused(ProblemCode.NOT_EXECUTABLE, "the workflow is a draft");
            case Starts.Outcome.BadTrigger(var faults) ->
                refused(
                        ProblemCode.WFENG005,
                        "it isn't what the workflow's triggerSchema asks for: "
                                + faults.getFirst().message());
        };
    }

    private static Result result(StartAnswer answer) {
        return switch (answer) {
            case StartAnswer.Started(RunId run, long _) -> Result.started(run);
            case StartAnswer.Existing(RunId run) -> Result.repeated(run);
            case StartAnswer.OtherWorkflow(RunId run, var _) ->
                refused(ProblemCode.WFENG001, "its request id started execution " + run + " of another workflow");
            case StartAnswer.Refused(String code, String reason) -> Result.refused(code, reason);
            case StartAnswer.OverQuota(String reason, var _) -> refused(ProblemCode.QUOTA_EXCEEDED, reason);
            case StartAnswer.Busy busy -> refused(ProblemCode.BUSY, busy.reason());
        };
    }

    private static Result refused(ProblemCode code, String detail) {
        return Result.refused(code.name(), detail);
    }
}
