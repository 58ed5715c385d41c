package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Party;
import java.time.Instant;
import java.util.Optional;

/**
 * A task's reservation for one actor.
 *
 * @param as the party among those asked that entitles the actor; empty for one who overrides
 */
public record Claim(Actor by, Optional<Party> as, Instant expiresAt) {}
