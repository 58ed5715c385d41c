package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.shard.Backoff;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.stream.CloudEventJson;
import dev.flowstone.triggers.event.EventChain;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Has events start what their triggers say, or kept: some at once, of no tenant all of them. */
final class MatchTaker {
    private static final System.Logger LOG = System.getLogger(MatchTaker.class.getName());
    private static final int AT_ONCE = 16;
    private static final int OF_A_TENANT = 12;

    /** How often the first pause is in the longest. */
    private static final int LONGEST = 50;

    /** After which what the database can't answer is kept instead, if it can be. */
    private static final int ATTEMPTS = 6;

    private final OwnEvents starts;
    private final Supplier<Listeners> listeners;
    private final BooleanSupplier isOurs;
    private final Duration pause;

    /**
     * @param listeners the newest
     * @param isOurs whether it is to go on
     * @param pause before the second attempt, about; later ones are longer
     */
    MatchTaker(OwnEvents starts, Supplier<Listeners> listeners, BooleanSupplier isOurs, Duration pause) {
        this.starts = requireNonNull(starts);
        this.listeners = requireNonNull(listeners);
        this.isOurs = requireNonNull(isOurs);
        this.pause = requireNonNull(pause);
    }

    /** An event, and a trigger that wants it. */
    record Match(Event event, Trigger trigger) {
        Match {
            requireNonNull(event);
            requireNonNull(trigger);
        }
    }

    /** Whether all were taken; not if the node is about to stop, or the shard is another's. */
    boolean areTaken(List<Match> matches) {
        Semaphore places = new Semaphore(AT_ONCE);
        Map<TenantId, Semaphore> tenants = new HashMap<>();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (Match match : matches) {
            Semaphore tenant = tenants.computeIfAbsent(match.trigger().key().tenant(), _ -> new Semaphore(OF_A_TENANT));
            all.add(CompletableFuture.supplyAsync(
                    () -> inPlace(tenant, () -> inPlace(places, () -> isTaken(match))),
                    task -> Thread.ofVirtual().name("flowstone-event-start").start(task)));
        }
        return all.stream().map(CompletableFuture::join).reduce(true, Boolean::logicalAnd);
    }

    private static boolean inPlace(Semaphore place, BooleanSupplier work) {
        place.acquireUninterruptibly();
        try {
            return work.getAsBoolean();
        } finally {
            place.release();
        }
    }

    private boolean isTaken(Match match) {
        Event event = match.event();
        EventChain chain = EventChain.of(event.header().correlation()).next();
        Arrival arrival = starts.arrival(match.trigger(), event.id());
        Backoff backoff = new Backoff(pause, pause.multipliedBy(LONGEST), new SplittableRandom());
        for (int attempt = 1; isOurs.getAsBoolean(); attempt++) {
            Optional<Trigger> trigger = listeners.get().find(match.trigger().key());
            if (trigger.isEmpty() || isTaken(event, trigger.get(), arrival, chain, attempt)) {
                return true;
            }
            try {
                Thread.sleep(backoff.pause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    private boolean isTaken(Event event, Trigger trigger, Arrival arrival, EventChain chain, int attempt) {
        try {
            starts.takeOwn(trigger, arrival, CloudEventJson.of(event), chain);
            return true;
        } catch (JournalException e) {
            LOG.log(Level.WARNING, name(arrival) + ": nothing can be started yet: " + e.getMessage());
            return attempt >= ATTEMPTS && isKept(event, arrival, chain, e);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, name(arrival) + ": nothing can be started", e);
            return isKept(event, arrival, chain, e) || starts.keepsNothing();
        }
    }

    /** Who alone can't be started, though what it needs to be kept is there, holds up no others. */
    private boolean isKept(Event event, Arrival arrival, EventChain chain, Throwable failed) {
        try {
            return starts.keepOwn(arrival, CloudEventJson.of(event), chain, failed);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, name(arrival) + ": it is passed over", e);
            return true;
        }
    }

    private static String name(Arrival arrival) {
        return "event " + arrival.delivery() + " and trigger "
                + arrival.trigger().id();
    }
}
