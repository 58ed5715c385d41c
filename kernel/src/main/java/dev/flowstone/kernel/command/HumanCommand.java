package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What people do with what they were asked (R13, R14). Who acts stands in the {@link Stamp}, and so does the reference to
 * what allowed it; {@code roles} are those of the actor's roles that the border has verified, {@code override} is its word
 * that this actor may act although not asked.
 */
public sealed interface HumanCommand extends Command {
    /** Reserves the task for its actor, until the lease ends. Claimed again by the same actor, the lease is extended. */
    record Claim(ActivationId activation, Set<String> roles, Duration lease, boolean override) implements HumanCommand {
        public Claim {
            requireNonNull(activation);
            roles = Set.copyOf(roles);
            requireNonNull(lease);
        }
    }

    /** The one who claimed it still works on it: the lease begins anew. */
    record Heartbeat(ActivationId activation, Duration lease) implements HumanCommand {
        public Heartbeat {
            requireNonNull(activation);
            requireNonNull(lease);
        }
    }

    /** The claim is given back; nothing happens if there is none. */
    record Release(ActivationId activation, boolean override) implements HumanCommand {
        public Release {
            requireNonNull(activation);
        }
    }

    /**
     * One decision.
     *
     * @param onBehalfOf the user in whose place the actor decides, as the border has verified
     * @param subjectVersion the version of the subject that was seen; must be the pinned one (R15)
     */
    record Decide(
            ActivationId activation,
            Outcome outcome,
            Set<String> roles,
            Optional<String> onBehalfOf,
            Optional<String> rationale,
            Optional<Long> subjectVersion,
            boolean override)
            implements HumanCommand {
        public Decide {
            requireNonNull(activation);
            requireNonNull(outcome);
            roles = Set.copyOf(roles);
            requireNonNull(onBehalfOf);
            requireNonNull(rationale);
            requireNonNull(subjectVersion);
        }
    }

    /**
     * Others are asked instead. Whether the actor may do that is the border's to judge.
     *
     * @param from who is asked no longer; empty means everybody who has not decided
     */
    record Reassign(ActivationId activation, Optional<Party> from, List<Party> to, String reason)
            implements HumanCommand {
        public Reassign {
            requireNonNull(activation);
            requireNonNull(from);
            to = List.copyOf(to);
            requireNonNull(reason);
        }
    }

    /** One who is asked hands that to somebody else, who then decides on the first one's behalf. */
    record Delegate(ActivationId activation, Party from, Party to, Set<String> roles, boolean override, String reason)
            implements HumanCommand {
        public Delegate {
            requireNonNull(activation);
            requireNonNull(from);
            requireNonNull(to);
            roles = Set.copyOf(roles);
            requireNonNull(reason);
        }
    }

    /** The system decides, or somebody with its authority: settles the task whatever its quorum (R14). */
    record Resolve(ActivationId activation, Outcome outcome, String reason) implements HumanCommand {
        public Resolve {
            requireNonNull(activation);
            requireNonNull(outcome);
            requireNonNull(reason);
        }
    }

    /** Answers an attestation: what was done about something that the engine can't undo (R24). */
    record Attest(String id, String statement) implements HumanCommand {
        public Attest {
            requireNonNull(id);
            requireNonNull(statement);
        }
    }
}
