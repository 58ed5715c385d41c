package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Something that came for a trigger.
 *
 * @param id of this arrival, by its time
 * @param delivery what its sender calls it; the same when it is sent again
 * @param source what brought it: not always what the trigger is for
 * @param actor who fired it by hand
 * @param sentAt as its sender signed it; with one, the same delivery of the same time is taken once
 */
public record Arrival(
        TriggerKey trigger,
        UUID id,
        String delivery,
        TriggerKind source,
        Optional<Actor> actor,
        Optional<Instant> sentAt,
        Instant receivedAt) {
    /** Longest name of a delivery. */
    public static final int LONGEST = 128;

    public Arrival {
        requireNonNull(trigger);
        requireNonNull(id);
        requireNonNull(source);
        requireNonNull(actor);
        requireNonNull(sentAt);
        requireNonNull(receivedAt);
        if (delivery.isEmpty() || delivery.length() > LONGEST) {
            throw new IllegalArgumentException("a delivery is called by 1 to " + LONGEST + " characters");
        }
    }

    /** That of a webhook. */
    public static Arrival signed(TriggerKey trigger, String delivery, Instant sentAt, Instant now) {
        return new Arrival(trigger, id(now), delivery, TriggerKind.WEBHOOK, Optional.empty(), Optional.of(sentAt), now);
    }

    /** One that somebody called a webhook's delivery, which nothing proves. */
    public static Arrival unproven(TriggerKey trigger, String delivery, Instant now) {
        return new Arrival(trigger, id(now), delivery, TriggerKind.WEBHOOK, Optional.empty(), Optional.empty(), now);
    }

    /** That of an event, which is called the same however often it comes. */
    public static Arrival ofEvent(TriggerKey trigger, String delivery, Instant now) {
        return new Arrival(trigger, id(now), delivery, TriggerKind.EVENT, Optional.empty(), Optional.empty(), now);
    }

    public static Arrival byHand(TriggerKey trigger, String delivery, Actor actor, Instant now) {
        return new Arrival(trigger, id(now), delivery, TriggerKind.MANUAL, Optional.of(actor), Optional.empty(), now);
    }

    /** That of a schedule: its name is the tick, which is claimed once as long as this is kept. */
    public static Arrival tick(TriggerKey trigger, Instant tick, Instant now) {
        return new Arrival(
                trigger, id(now), tick.toString(), TriggerKind.SCHEDULE, Optional.empty(), Optional.of(tick), now);
    }

    /** A UUIDv7 with the microseconds behind the milliseconds, so that what comes later at a node comes later in order. */
    private static UUID id(Instant now) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long micros = now.get(ChronoField.MICRO_OF_SECOND) % 1_000;
        long high = (now.toEpochMilli() << 16) | 0x7000L | (micros << 2) | random.nextInt(4);
        long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
