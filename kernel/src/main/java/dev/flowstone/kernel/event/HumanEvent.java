package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What happens between a run and people (R13–R15). Who acted, and what allowed it, stands in the envelope. */
public sealed interface HumanEvent extends EventBody {
    /**
     * People are asked.
     *
     * @param assignees each once, in the order in which a serial quorum asks them
     * @param subjectVersion pinned; empty while the run is not bound to a subject
     */
    record HumanTaskOpened(
            ActivationId activation, List<Party> assignees, Payload request, Optional<Long> subjectVersion)
            implements HumanEvent {
        public HumanTaskOpened {
            requireNonNull(activation);
            assignees = List.copyOf(assignees);
            requireNonNull(request);
            requireNonNull(subjectVersion);
        }
    }

    /**
     * The actor reserved it, or extended the lease.
     *
     * @param as the party that entitles the actor; empty for one who overrides
     */
    record TaskClaimed(ActivationId activation, Optional<Party> as, Instant expiresAt) implements HumanEvent {
        public TaskClaimed {
            requireNonNull(activation);
            requireNonNull(as);
            requireNonNull(expiresAt);
        }
    }

    /** Nobody has it reserved any more. */
    record ClaimReleased(ActivationId activation, Release reason) implements HumanEvent {
        public ClaimReleased {
            requireNonNull(activation);
            requireNonNull(reason);
        }
    }

    /** Why a claim ended. */
    enum Release {
        /** It was given back. */
        RELEASED,
        /** Its lease ran out. */
        EXPIRED,
        /** The one who had it is not asked any more. */
        REPLACED,
        /** The one who had it decided. */
        DECIDED
    }

    /** Others are asked instead of {@code from}; of everybody who had not decided, if that is empty. */
    record TaskReassigned(ActivationId activation, Optional<Party> from, String reason, List<Party> to)
            implements HumanEvent {
        public TaskReassigned {
            requireNonNull(activation);
            requireNonNull(from);
            requireNonNull(reason);
            to = List.copyOf(to);
        }
    }

    /** {@code to} is asked in the place, and on behalf, of {@code from}. */
    record TaskDelegated(ActivationId activation, Party from, String reason, Party to) implements HumanEvent {
        public TaskDelegated {
            requireNonNull(activation);
            requireNonNull(from);
            requireNonNull(reason);
            requireNonNull(to);
        }
    }

    /**
     * The actor decided.
     *
     * @param as the party in whose place among those asked it counts; empty for one who overrides beside them
     * @param subjectVersion that was seen
     */
    record HumanDecided(
            ActivationId activation,
            Outcome outcome,
            Optional<Party> as,
            Optional<Party> onBehalfOf,
            Optional<String> rationale,
            Optional<Long> subjectVersion,
            boolean override)
            implements HumanEvent {
        public HumanDecided {
            requireNonNull(activation);
            requireNonNull(outcome);
            requireNonNull(as);
            requireNonNull(onBehalfOf);
            requireNonNull(rationale);
            requireNonNull(subjectVersion);
        }
    }

    /** The task has its outcome. */
    record HumanTaskSettled(ActivationId activation, Settlement how, Outcome outcome, Payload output)
            implements HumanEvent {
        public HumanTaskSettled {
            requireNonNull(activation);
            requireNonNull(how);
            requireNonNull(outcome);
            requireNonNull(output);
        }
    }

    /** What gave a task its outcome. */
    enum Settlement {
        QUORUM,
        /** A single decision for an outcome that settles at once. */
        VETO,
        /** The system, or somebody with its authority. */
        RESOLVED,
        /** The quorum could not be met any more, and the program says what then. */
        UNMET,
        /** The subject changed, and the program leaves by an edge of its own. */
        DRIFT
    }

    /** Those who are asked were reminded. */
    record TaskReminded(ActivationId activation, String reminder) implements HumanEvent {
        public TaskReminded {
            requireNonNull(activation);
            requireNonNull(reminder);
        }
    }

    /** Others are asked as well, or instead of those who had not decided. */
    record TaskEscalated(ActivationId activation, List<Party> assignees, String reminder, boolean replace)
            implements HumanEvent {
        public TaskEscalated {
            requireNonNull(activation);
            assignees = List.copyOf(assignees);
            requireNonNull(reminder);
        }
    }

    /** A reminder was due and could not do what it should: those who were asked are asked still. */
    record ReminderFailed(ActivationId activation, TaskError error, String reminder) implements HumanEvent {
        public ReminderFailed {
            requireNonNull(activation);
            requireNonNull(error);
            requireNonNull(reminder);
        }
    }

    /** Decisions made so far for an older version of the subject count no longer (R15). */
    record DecisionsVoided(ActivationId activation, long subjectVersion) implements HumanEvent {
        public DecisionsVoided {
            requireNonNull(activation);
        }
    }

    /** A gate used what was decided: it can't be used again (R15). */
    record DecisionApplied(ActivationId activation, ActivationId decided) implements HumanEvent {
        public DecisionApplied {
            requireNonNull(activation);
            requireNonNull(decided);
        }
    }

    /**
     * Something can't be undone by the engine; a person says what was done about it (R24).
     *
     * @param activation whose effect it is
     * @param id unique in the run
     */
    record AttestationRequested(Optional<ActivationId> activation, String id, String reason) implements HumanEvent {
        public AttestationRequested {
            requireNonNull(activation);
            requireNonNull(id);
            requireNonNull(reason);
        }
    }

    /** A person said it. */
    record AttestationGiven(String id, String statement) implements HumanEvent {
        public AttestationGiven {
            requireNonNull(id);
            requireNonNull(statement);
        }
    }
}
