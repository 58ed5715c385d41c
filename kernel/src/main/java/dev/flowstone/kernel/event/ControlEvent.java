package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What operators did to a run, and what follows from it (R25, R26). */
public sealed interface ControlEvent extends EventBody {
    /** Nothing is decided or dispatched from now on; {@code scope} says whose suspension it is. */
    record RunSuspended(HoldPolicy policy, String reason, String scope) implements ControlEvent {
        public RunSuspended {
            requireNonNull(policy);
            requireNonNull(reason);
            requireNonNull(scope);
        }
    }

    /** Nothing outside is newly started from now on; the policy is that of the suspension to come. */
    record RunDraining(HoldPolicy policy, String reason, String scope) implements ControlEvent {
        public RunDraining {
            requireNonNull(policy);
            requireNonNull(reason);
            requireNonNull(scope);
        }
    }

    /** The suspension or drain is over. */
    record RunResumed(String reason) implements ControlEvent {
        public RunResumed {
            requireNonNull(reason);
        }
    }

    /**
     * A scope that the run lies in is held, and so is the run unless it is held itself. When a drain is over, the same comes
     * again as a suspension.
     *
     * @param number of the setting
     * @param since from when on timers stand still: when the setting was made, but not before the last event
     * @param expiresAt when a drain becomes a suspension at the latest
     */
    record HoldImposed(
            long number,
            Setting.Mode mode,
            HoldPolicy policy,
            String reason,
            String scope,
            Instant since,
            Optional<Instant> expiresAt)
            implements ControlEvent {
        public HoldImposed {
            requireNonNull(mode);
            requireNonNull(policy);
            requireNonNull(reason);
            requireNonNull(scope);
            requireNonNull(since);
            requireNonNull(expiresAt);
        }
    }

    /**
     * The scope is held no more.
     *
     * @param number of the setting that says so
     * @param at from when on timers run again
     */
    record HoldLifted(long number, Instant at) implements ControlEvent {
        public HoldLifted {
            requireNonNull(at);
        }
    }

    /**
     * An operator let this run go on although its scope is held.
     *
     * @param number of the setting that does not count for it; a later one does
     */
    record HoldWaived(long number, String reason) implements ControlEvent {
        public HoldWaived {
            requireNonNull(reason);
        }
    }

    /**
     * Input came that is decided later.
     *
     * @param number of the input among all that this run has buffered, from 1
     * @param input the command's canonical form and the stamp that it came with
     */
    record InputBuffered(long number, JsonObject input) implements ControlEvent {
        public InputBuffered {
            requireNonNull(input);
        }
    }

    /** Buffered input is decided now: what follows in this entry follows from it. */
    record BufferedInputTaken(long number) implements ControlEvent {}

    /** Buffered input that was taken turned out to be refused. */
    record BufferedInputRefused(long number, String code, String reason) implements ControlEvent {
        public BufferedInputRefused {
            requireNonNull(code);
            requireNonNull(reason);
        }
    }

    /** A timer stands still, with so much time left; it is canceled next. */
    record TimerFrozen(TimerId timer, int generation, Duration remaining) implements ControlEvent {
        public TimerFrozen {
            requireNonNull(timer);
            requireNonNull(remaining);
        }
    }

    /** A person made a timer go off before it was due. */
    record TimerForced(TimerId timer, int generation) implements ControlEvent {
        public TimerForced {
            requireNonNull(timer);
        }
    }

    /** An activation opened while the run drains: it stays ready. */
    record ActivationParked(ActivationId activation) implements ControlEvent {
        public ActivationParked {
            requireNonNull(activation);
        }
    }

    /** An activation that stayed ready begins now, under this idempotency key. */
    record ActivationReleased(ActivationId activation, Sha256 key) implements ControlEvent {
        public ActivationReleased {
            requireNonNull(activation);
            requireNonNull(key);
        }
    }

    /** The run will be canceled when what lives has ended and, if asked for, what was done is undone. */
    record RunCanceling(String reason, boolean undoes, Optional<RunId> supersededBy) implements ControlEvent {
        public RunCanceling {
            requireNonNull(reason);
            requireNonNull(supersededBy);
        }
    }

    /** The end: canceled. */
    record RunCanceled(String reason, Optional<RunId> supersededBy) implements ControlEvent {
        public RunCanceled {
            requireNonNull(reason);
            requireNonNull(supersededBy);
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }

    /** What lives is ended now; nobody is waited for. */
    record RunTerminating(String reason) implements ControlEvent {
        public RunTerminating {
            requireNonNull(reason);
        }
    }

    /** The end: terminated. What attempts still answer is only observed. */
    record RunTerminated(String reason) implements ControlEvent {
        public RunTerminated {
            requireNonNull(reason);
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }

    /** What lives is ended and what was done since {@code mark} was last entered is undone. */
    record RollbackBegan(NodeId mark, String reason) implements ControlEvent {
        public RollbackBegan {
            requireNonNull(mark);
            requireNonNull(reason);
        }
    }

    /** Everything down to the mark is undone; the run goes on by entering it. */
    record RolledBack(NodeId mark) implements ControlEvent {
        public RolledBack {
            requireNonNull(mark);
        }
    }

    /**
     * A person decided what becomes of an incident.
     *
     * @param sequence of the event that raised it
     * @param value the input to try again with, or the output that it was skipped with
     * @param error that it was failed with
     */
    record IncidentResolved(long sequence, Resolution how, Optional<Payload> value, Optional<TaskError> error)
            implements ControlEvent {
        public IncidentResolved {
            requireNonNull(how);
            requireNonNull(value);
            requireNonNull(error);
        }
    }

    /** What became of an incident. */
    enum Resolution {
        RETRIED,
        SKIPPED,
        FAILED
    }

    /** The run follows another program from now on; {@code nodes} are those that were given a new name. */
    record Migrated(Sha256 from, Sha256 to, int version, Map<NodeId, NodeId> nodes) implements ControlEvent {
        public Migrated {
            requireNonNull(from);
            requireNonNull(to);
            nodes = Map.copyOf(nodes);
        }
    }

    /** The run exists, and goes on from where another one was after its event {@code sequence}. */
    record RunReset(Sha256 program, RunId from, long sequence, JsonObject state) implements ControlEvent {
        public RunReset {
            requireNonNull(program);
            requireNonNull(from);
            requireNonNull(state);
        }
    }
}
