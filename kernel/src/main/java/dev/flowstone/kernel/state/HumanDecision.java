package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.program.Outcome;
import java.time.Instant;
import java.util.Optional;

/**
 * One decision of a person (R13).
 *
 * @param as the party in whose place among those asked it counts; empty for one who overrides beside them
 * @param authorization reference to what allowed it
 * @param subjectVersion the version that was seen
 */
public record HumanDecision(
        Actor actor,
        Optional<Party> as,
        Optional<Party> onBehalfOf,
        Outcome outcome,
        Instant at,
        Optional<String> authorization,
        Optional<String> rationale,
        Optional<Long> subjectVersion,
        boolean override) {}
