package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What one event says beyond its envelope; the record's name is the event's kind. */
public sealed interface EventBody
        permits EventBody.RunStarted,
                EventBody.ActivationOpened,
                EventBody.TaskScheduled,
                EventBody.TaskCompleted,
                EventBody.TaskSkipped,
                EventBody.TaskFailed,
                EventBody.TaskTimedOut,
                EventBody.TaskReturned,
                EventBody.TaskHandedOut,
                EventBody.EffectObserved,
                EventBody.ActivationCanceled,
                EventBody.ActivationSkipped,
                EventBody.Transitioned,
                EventBody.TimerSet,
                EventBody.TimerFired,
                EventBody.TimerCanceled,
                EventBody.ContinueScheduled,
                EventBody.WaitDiscounted,
                EventBody.IncidentRaised,
                EventBody.RunFailing,
                EventBody.ScopeOpened,
                EventBody.ScopeClosed,
                EventBody.TokenDiscarded,
                EventBody.RunCompleted,
                EventBody.RunFailed,
                ForkEvent,
                MessageEvent,
                AggregateEvent,
                HumanEvent,
                DataEvent,
                ControlEvent,
                CompensationEvent,
                TimerEvent {
    /** The kind as stored: the record's simple name, for ever. */
    default String kind() {
        return getClass().getSimpleName();
    }

    /** Every kind that there is, in order: taken from the sealed interfaces, so that a new one is known by itself. */
    static Set<String> kinds() {
        return Collections.unmodifiableSet(new TreeSet<>(kinds(EventBody.class).toList()));
    }

    private static Stream<String> kinds(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? kinds(one) : Stream.of(one.getSimpleName()));
    }

    /** Whether this is a run's final event. */
    default boolean endsRun() {
        return false;
    }

    /**
     * The run exists. Workflow, version, tenant and correlation stand in the envelope.
     *
     * @param requested since version 2, which is written if there is anything in it
     * @param subject since version 3, which is written if there is one
     */
    record RunStarted(
            Sha256 program,
            Optional<String> requestId,
            Map<String, Payload> input,
            Requested requested,
            Optional<SubjectBinding> subject)
            implements EventBody {
        public RunStarted(Sha256 program, Optional<String> requestId, Map<String, Payload> input) {
            this(program, requestId, input, Requested.NOTHING, Optional.empty());
        }

        public RunStarted(Sha256 program, Optional<String> requestId, Map<String, Payload> input, Requested requested) {
            this(program, requestId, input, requested, Optional.empty());
        }

        public RunStarted {
            requireNonNull(program);
            requireNonNull(requestId);
            input = Map.copyOf(input);
            requireNonNull(requested);
            requireNonNull(subject);
        }
    }

    /**
     * A visit of a node began (R5); precedes all that it causes.
     *
     * @param key the idempotency key that every attempt of it carries
     * @param via the edges that led here, by id; empty for the entry
     */
    record ActivationOpened(ActivationId activation, Sha256 key, List<EdgeId> via) implements EventBody {
        public ActivationOpened {
            requireNonNull(activation);
            requireNonNull(key);
            via = List.copyOf(via);
        }
    }

    /**
     * An attempt was handed out; it counts from now on (R11).
     *
     * @param input as rendered; empty on a later attempt that reuses the first one's
     * @param timeout of this attempt
     */
    record TaskScheduled(
            ActivationId activation, int attempt, HandlerName handler, Optional<Payload> input, Duration timeout)
            implements EventBody {
        public TaskScheduled {
            requireNonNull(activation);
            requireNonNull(handler);
            requireNonNull(input);
            requireNonNull(timeout);
        }
    }

    /** An attempt succeeded; the activation is completed with outcome {@code success}. */
    record TaskCompleted(ActivationId activation, int attempt, Payload output) implements EventBody {
        public TaskCompleted {
            requireNonNull(activation);
            requireNonNull(output);
        }
    }

    /** An attempt found nothing to do; the activation is skipped. */
    record TaskSkipped(ActivationId activation, int attempt, String reason) implements EventBody {
        public TaskSkipped {
            requireNonNull(activation);
            requireNonNull(reason);
        }
    }

    /**
     * An attempt failed.
     *
     * @param settles whether it was the last one: the activation has failed
     */
    record TaskFailed(ActivationId activation, int attempt, FailureClass failure, TaskError error, boolean settles)
            implements EventBody {
        public TaskFailed {
            requireNonNull(activation);
            requireNonNull(failure);
            requireNonNull(error);
        }
    }

    /** An attempt passed its timeout; {@code settles} as in {@link TaskFailed}. */
    record TaskTimedOut(ActivationId activation, int attempt, boolean settles) implements EventBody {
        public TaskTimedOut {
            requireNonNull(activation);
        }
    }

    /** An attempt came back unused from a node that shut down; it is handed out again under the same number. */
    record TaskReturned(ActivationId activation, int attempt) implements EventBody {
        public TaskReturned {
            requireNonNull(activation);
        }
    }

    /** An attempt that had come back unused was handed out again; if its node dies now, it is used up (R11). */
    record TaskHandedOut(ActivationId activation, int attempt) implements EventBody {
        public TaskHandedOut {
            requireNonNull(activation);
        }
    }

    /**
     * A success of a canceled or failed activation: the effect is real and not forgotten (R12).
     *
     * @param number which of the activation's different effects this is, from 1; 0 where that is not told, in version 1
     */
    record EffectObserved(ActivationId activation, int attempt, Payload output, int number) implements EventBody {
        public EffectObserved {
            requireNonNull(activation);
            requireNonNull(output);
        }
    }

    /** The activation was ended from outside. */
    record ActivationCanceled(ActivationId activation, String reason) implements EventBody {
        public ActivationCanceled {
            requireNonNull(activation);
            requireNonNull(reason);
        }
    }

    /** Every way into the node is dead; its visit is skipped, its own edges are dead. */
    record ActivationSkipped(ActivationId activation) implements EventBody {
        public ActivationSkipped {
            requireNonNull(activation);
        }
    }

    /**
     * A settled activation chose its edges (R7, R8); the others of its node are dead.
     *
     * @param conditions what was evaluated, in order
     */
    record Transitioned(
            ActivationId activation, Outcome outcome, List<EdgeId> taken, List<EvaluatedCondition> conditions)
            implements EventBody {
        public Transitioned {
            requireNonNull(activation);
            requireNonNull(outcome);
            taken = List.copyOf(taken);
            conditions = List.copyOf(conditions);
        }
    }

    /**
     * One condition: its text, what it read, how it came out.
     *
     * @param expression empty for a policy's
     * @param policy what a policy decided; since version 2 of its event, which is written if there is one
     */
    record EvaluatedCondition(
            EdgeId edge,
            String expression,
            JsonObject read,
            boolean result,
            Optional<ExpressionError> error,
            Optional<PolicyDecision> policy) {
        /** Of an expression. */
        public EvaluatedCondition(
                EdgeId edge, String expression, JsonObject read, boolean result, Optional<ExpressionError> error) {
            this(edge, expression, read, result, error, Optional.empty());
        }

        public EvaluatedCondition {
            requireNonNull(edge);
            requireNonNull(expression);
            requireNonNull(read);
            requireNonNull(error);
            requireNonNull(policy);
        }
    }

    /** A timer is set, or set again under the next generation, which voids the one before (R19). */
    record TimerSet(
            TimerId timer, int generation, Instant dueAt, TimerPurpose purpose, Optional<ActivationId> activation)
            implements EventBody {
        public TimerSet {
            requireNonNull(timer);
            requireNonNull(dueAt);
            requireNonNull(purpose);
            requireNonNull(activation);
        }
    }

    /** What a timer is for. */
    enum TimerPurpose {
        /** A timer node's wait. */
        WAIT,
        /** The pause before a task's next attempt. */
        RETRY,
        /** The run's deadline. */
        DEADLINE,
        /** How long an await or a call waits at most. */
        TIMEOUT,
        /** Of an aggregate: something that it keeps or lent expires. */
        EXPIRY,
        /** The end of a claim's lease. */
        CLAIM,
        /** Something that happens while a human task waits. */
        REMINDER,
        /** The time to live of a drain. */
        DRAIN,
        /** Never due: it marks a run that a scope's setting holds, so that it is found when the scope is let go. */
        HOLD
    }

    /** A timer went off. */
    record TimerFired(TimerId timer, int generation) implements EventBody {
        public TimerFired {
            requireNonNull(timer);
        }
    }

    /** A timer will not go off any more. */
    record TimerCanceled(TimerId timer, int generation) implements EventBody {
        public TimerCanceled {
            requireNonNull(timer);
        }
    }

    /** The decision reached its bound; its work list waits for the next one (R4). */
    record ContinueScheduled() implements EventBody {}

    /**
     * What came just before, a message or the answer of a canceled task, was nothing that the run waited for. So it doesn't
     * count as a wait between two visits of a node: a loop around it is a runaway (R4).
     */
    record WaitDiscounted() implements EventBody {}

    /** Something only a person can resolve (R9, R4): the run waits. */
    record IncidentRaised(String code, Optional<ActivationId> activation, String message) implements EventBody {
        public IncidentRaised {
            requireNonNull(code);
            requireNonNull(activation);
            requireNonNull(message);
        }
    }

    /** The run will fail as soon as every attempt that was handed out has answered or timed out (R23). */
    record RunFailing(TaskError error, Optional<NodeId> node) implements EventBody {
        public RunFailing {
            requireNonNull(error);
            requireNonNull(node);
        }
    }

    /**
     * A scope inside another was entered (R6). The run's root scope opens with the run, without an event of its own.
     *
     * @param number of the scope's instance, unique in the run; the root's is 0
     */
    record ScopeOpened(ScopeId scope, int number) implements EventBody {
        public ScopeOpened {
            requireNonNull(scope);
        }
    }

    /**
     * A scope inside another ended, and will not be judged again (R6, R7).
     *
     * @param followed the edge that its token leaves by: its continuation, or an exit; empty if the token ends here
     */
    record ScopeClosed(ScopeId scope, int number, Optional<EdgeId> followed) implements EventBody {
        public ScopeClosed {
            requireNonNull(scope);
            requireNonNull(followed);
        }
    }

    /** Queued work was dropped because its scope closes, or because the run ends (R6). */
    record TokenDiscarded(ScopeId scope, int number, NodeId node) implements EventBody {
        public TokenDiscarded {
            requireNonNull(scope);
            requireNonNull(node);
        }
    }

    /** The end: succeeded. */
    record RunCompleted(Payload output) implements EventBody {
        public RunCompleted {
            requireNonNull(output);
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }

    /** The end: failed. */
    record RunFailed(TaskError error, Optional<NodeId> node) implements EventBody {
        public RunFailed {
            requireNonNull(error);
            requireNonNull(node);
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }
}
