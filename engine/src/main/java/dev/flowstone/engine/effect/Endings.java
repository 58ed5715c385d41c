package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What becomes of a message by how an attempt ended: it has left, is tried later, with growing pauses, or is dead. */
final class Endings {
    /** Room for 500 characters of what the other side said, and for who says so. */
    private static final int MAX_ERROR = 600;

    /** However long the other side asks to be left alone. */
    private static final Duration LONGEST_ASKED = Duration.ofDays(1);

    private final OutboxConfig config;
    private final RandomGenerator random;

    Endings(OutboxConfig config, RandomGenerator random) {
        this.config = requireNonNull(config);
        this.random = requireNonNull(random);
    }

    /** Nobody here delivers there; another node may, or this one after its next start. */
    static final class UnknownDestinationException extends Exception {
        private static final long serialVersionUID = 1L;

        UnknownDestinationException(String destination) {
            super("no publisher is registered for " + destination);
        }
    }

    Outbox.Settlement delivered(Outbox.Pending pending, Instant begun, Duration took, Publisher.Receipt receipt) {
        return new Outbox.Settlement.Delivered(pending, new Outbox.Evidence(begun, took, receipt.status()));
    }

    /** It took too long, and may have been delivered. */
    Outbox.Settlement late(Outbox.Pending pending, Instant begun, Duration took, Instant now) {
        String error = "no end within " + config.timeout().toMillis() + " ms";
        return later(pending, unanswered(begun, took), error, Duration.ZERO, Outbox.DeathReason.EXHAUSTED, now);
    }

    Outbox.Settlement failed(Outbox.Pending pending, Instant begun, Duration took, Throwable thrown, Instant now) {
        return switch (thrown) {
            case Publisher.UndeliverableException never ->
                new Outbox.Settlement.Dead(
                        pending,
                        new Outbox.Evidence(begun, took, never.status()),
                        Outbox.DeathReason.UNDELIVERABLE,
                        message(never));
            case Publisher.RetryableException failure ->
                later(
                        pending,
                        new Outbox.Evidence(begun, took, failure.status()),
                        message(failure),
                        asked(failure),
                        Outbox.DeathReason.EXHAUSTED,
                        now);
            case UnknownDestinationException unknown ->
                later(
                        pending,
                        unanswered(begun, took),
                        message(unknown),
                        Duration.ZERO,
                        Outbox.DeathReason.UNKNOWN_DESTINATION,
                        now);
            default ->
                later(
                        pending,
                        unanswered(begun, took),
                        named(thrown),
                        Duration.ZERO,
                        Outbox.DeathReason.EXHAUSTED,
                        now);
        };
    }

    /** The pause that the other side asked for with a failure, within bounds. */
    static Duration asked(Throwable thrown) {
        if (thrown instanceof Publisher.RetryableException failure) {
            Duration asked = failure.pause().orElse(Duration.ZERO);
            return asked.compareTo(LONGEST_ASKED) < 0 ? asked : LONGEST_ASKED;
        }
        return Duration.ZERO;
    }

    private static Outbox.Evidence unanswered(Instant begun, Duration took) {
        return new Outbox.Evidence(begun, took, Optional.empty());
    }

    /** Not before the pause that the other side asked for; dead if this was the last attempt. */
    private Outbox.Settlement later(
            Outbox.Pending pending,
            Outbox.Evidence evidence,
            String error,
            Duration asked,
            Outbox.DeathReason otherwise,
            Instant now) {
        int attempts = pending.attempts() + 1;
        if (attempts >= config.attempts()) {
            return new Outbox.Settlement.Dead(pending, evidence, otherwise, error);
        }
        Duration own = pause(attempts);
        return new Outbox.Settlement.Postponed(
                pending, evidence, now.plus(own.compareTo(asked) < 0 ? asked : own), error);
    }

    private Duration pause(int attempts) {
        Duration pause = config.base();
        for (int i = 1; i < attempts && pause.compareTo(config.cap()) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        long whole = Math.max(2, Math.min(pause.toNanos(), config.cap().toNanos()));
        return Duration.ofNanos(whole / 2 + random.nextLong(whole / 2));
    }

    private static String named(Throwable thrown) {
        String name = thrown.getClass().getName();
        return cut(thrown.getMessage() == null ? name : name + ": " + thrown.getMessage());
    }

    private static String message(Throwable thrown) {
        return cut(String.valueOf(thrown.getMessage()));
    }

    private static String cut(String text) {
        String clean = text.replace('\u0000', '\ufffd');
        if (clean.length() <= MAX_ERROR) {
            return clean;
        }
        return clean.substring(0, Character.isHighSurrogate(clean.charAt(MAX_ERROR - 1)) ? MAX_ERROR - 1 : MAX_ERROR);
    }
}
