package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * One change of a scope's setting; never changed again.
 *
 * @param number in the order of commits, gapless, from 1
 * @param at by the database's clock, never before that of the number before
 * @param timeToLive of a drain; else zero
 */
public record ScopeSetting(
        long number,
        Instant at,
        SettingScope scope,
        SettingMode mode,
        HoldPolicy policy,
        Duration timeToLive,
        String reason,
        Actor actor) {
    public ScopeSetting {
        if (number < 1) {
            throw new IllegalArgumentException("settings are numbered from 1, not " + number);
        }
        requireNonNull(at);
        requireNonNull(scope);
        requireNonNull(mode);
        requireNonNull(policy);
        requireNonNull(timeToLive);
        if (timeToLive.isNegative() || (mode != SettingMode.DRAIN && !timeToLive.isZero())) {
            throw new IllegalArgumentException("only a drain has a time to live, and not less than none");
        }
        requireNonNull(reason);
        requireNonNull(actor);
    }
}
