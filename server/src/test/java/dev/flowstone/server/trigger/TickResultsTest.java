package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerSchedules.Deferred;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What came of ticks is written in batches, each of which holds what can be written. */
final class TickResultsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Waits with its first batch until others have come; one of them can't be written. */
    private static final class Poisoned extends FakeSchedules {
        private final CountDownLatch come = new CountDownLatch(1);
        private final UUID bad;

        Poisoned(UUID bad) {
            this.bad = bad;
        }

        @Override
        public void close(List<Settled> ticks) throws JournalException {
            try {
                come.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (ticks.stream().anyMatch(it -> it.id().equals(bad))) {
                throw new JournalException.BadData("poison");
            }
            super.close(ticks);
        }
    }

    private static OpenTick tick() {
        return OpenTickExamples.tick("acme", 0, FakeSchedules.NOW, Optional.empty());
    }

    private static Settled settled(OpenTick tick) {
        return new Settled(tick.arrival().trigger(), tick.arrival().id(), Result.ignored("no"));
    }

    @Test
    void oneThatCannotBeWrittenHoldsUpNoOthers() {
        List<OpenTick> over = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            over.add(tick());
        }
        OpenTick later = tick();
        UUID poison = over.get(4).arrival().id();
        Poisoned store = new Poisoned(poison);
        Set<UUID> freed = ConcurrentHashMap.newKeySet();
        Set<UUID> counted = ConcurrentHashMap.newKeySet();
        TickResults results = TickResults.start(store, freed::addAll);

        over.forEach(it ->
                results.settled(settled(it), () -> counted.add(it.arrival().id())));
        results.deferred(new Deferred(later.arrival(), Duration.ofSeconds(1)));
        store.come.countDown();
        results.close(LONG, () -> freed.size() == 10);

        Set<UUID> written = new HashSet<>();
        store.settled.forEach(it -> written.add(it.id()));
        Set<UUID> good = new HashSet<>();
        over.forEach(it -> good.add(it.arrival().id()));
        good.remove(poison);
        assertEquals(good, written);
        assertEquals(1, store.deferred.size());
        assertEquals(10, freed.size(), "each place is free again");
        assertEquals(good, counted, "what is written counts");
    }
}
