package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators do to a run (R22–R26). None of these is ever buffered. */
public sealed interface ControlCommand extends Command {
    /**
     * Nothing is decided or dispatched any more until the run is resumed (R25).
     *
     * @param scope whose suspension this is, in the caller's words: {@code run}, {@code type/…}, {@code tenant/…}
     */
    record SuspendRun(HoldPolicy policy, String reason, String scope) implements ControlCommand {
        public SuspendRun {
            requireNonNull(policy);
            requireNonNull(reason);
            requireNonNull(scope);
        }
    }

    /** Ends a suspension or a drain; what was buffered is applied in order. */
    record ResumeRun(String reason) implements ControlCommand {
        public ResumeRun {
            requireNonNull(reason);
        }
    }

    /**
     * Live work may finish, nothing outside is newly started; then the run is suspended.
     *
     * @param policy of the suspension that follows
     * @param timeToLive after which it is suspended at the latest
     */
    record DrainRun(HoldPolicy policy, Duration timeToLive, String reason, String scope) implements ControlCommand {
        public DrainRun {
            requireNonNull(policy);
            requireNonNull(timeToLive);
            requireNonNull(reason);
            requireNonNull(scope);
        }
    }

    /**
     * Records what was set meanwhile for a scope that the run lies in; the engine puts it in front of whatever else is
     * decided. Those that the run has recorded already change nothing; nor does any, once the run is over or canceled.
     *
     * @param settings the changes of the setting that governs the run, the oldest first
     */
    record Heed(List<Setting> settings) implements ControlCommand {
        public Heed {
            settings = List.copyOf(settings);
            for (int i = 1; i < settings.size(); i++) {
                if (settings.get(i - 1).number() >= settings.get(i).number()) {
                    throw new IllegalArgumentException("settings are heeded in the order of their numbers");
                }
            }
        }
    }

    /**
     * Ends the run in good order (R18, R24).
     *
     * @param supersededBy the run that takes this one's place
     */
    record CancelRun(String reason, Undo undo, Optional<RunId> supersededBy) implements ControlCommand {
        public CancelRun {
            requireNonNull(reason);
            requireNonNull(undo);
            requireNonNull(supersededBy);
        }
    }

    /** Whether what was done is undone. */
    enum Undo {
        RUN,
        SKIP
    }

    /** Ends the run now: nothing is undone, nobody is waited for. */
    record TerminateRun(String reason) implements ControlCommand {
        public TerminateRun {
            requireNonNull(reason);
        }
    }

    /**
     * The run fails with the code {@code FORCED} and this reason, whatever it waits for: as by its deadline, what lives is
     * canceled, and its failure policy says whether what was done is undone (R23).
     */
    record FailRun(String reason) implements ControlCommand {
        public FailRun {
            requireNonNull(reason);
        }
    }

    /** Undoes, newest first, what was done since this node was last entered, and enters it again (R24). */
    record RollBack(NodeId mark, String reason) implements ControlCommand {
        public RollBack {
            requireNonNull(mark);
            requireNonNull(reason);
        }
    }

    /**
     * What an incident stopped is tried again.
     *
     * @param sequence of the event that raised the incident
     * @param input of a failed task's next attempt, instead of the rendered one
     */
    record RetryIncident(long sequence, Optional<Payload> input) implements ControlCommand {
        public RetryIncident {
            requireNonNull(input);
        }
    }

    /** What an incident stopped counts as done, with this output. */
    record SkipIncident(long sequence, Payload output) implements ControlCommand {
        public SkipIncident {
            requireNonNull(output);
        }
    }

    /** What an incident stopped counts as failed. */
    record FailIncident(long sequence, TaskError error) implements ControlCommand {
        public FailIncident {
            requireNonNull(error);
        }
    }

    /** A timer goes off before it is due. */
    record ForceFireTimer(TimerId timer) implements ControlCommand {
        public ForceFireTimer {
            requireNonNull(timer);
        }
    }

    /**
     * The run goes on by another program (R26).
     *
     * @param program its hash
     * @param version of the workflow that it belongs to
     * @param nodes new names of nodes by old ones; those not named keep their name
     */
    record MigrateRun(Sha256 program, int version, Map<NodeId, NodeId> nodes) implements ControlCommand {
        public MigrateRun {
            requireNonNull(program);
            nodes = Map.copyOf(nodes);
        }
    }

    /**
     * Begins a run at a recorded point of another one (R26); its first command, ever.
     *
     * @param from the other run
     * @param sequence its event after which this one begins
     * @param state the other run's state at that point, as a snapshot has it
     */
    record StartFrom(TenantId tenant, RunId run, int version, RunId from, long sequence, JsonObject state)
            implements ControlCommand {
        public StartFrom {
            requireNonNull(tenant);
            requireNonNull(run);
            requireNonNull(from);
            requireNonNull(state);
        }
    }
}
