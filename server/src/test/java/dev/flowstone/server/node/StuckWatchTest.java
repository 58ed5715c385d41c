package dev.flowstone.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.BadData;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.shard.StoredStates;
import dev.flowstone.engine.stuck.Place;
import dev.flowstone.engine.stuck.Scan;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A round comes to its end whatever one of its pages holds. */
final class StuckWatchTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final RunId RUN = RunId.of(Instant.parse("2026-11-29T12:00:00Z"), new Slot(7), 1);

    private final VirtualClock clock = VirtualClock.start();
    private final List<String> warnings = new ArrayList<>();

    /** One timer that is late, and pages that can't be read before it and behind it. */
    private static final class Spoiled implements Suspects {
        @Override
        public Optional<TenantId> tenantAfter(String tenant) {
            return tenant.isEmpty() ? Optional.of(ACME) : Optional.empty();
        }

        @Override
        public Looked look(TenantId tenant, Place place, Instant before, int most) throws JournalException {
            if (place.scan() == Scan.RUNNING) {
                throw new BadData("a row that is none");
            }
            if (place.scan() == Scan.MESSAGES) {
                throw new IllegalStateException("a row that nobody expects");
            }
            if (place.scan() != Scan.TIMERS) {
                return new Looked(List.of(), Optional.empty());
            }
            Suspect late = new Suspect(new RunKey(ACME, RUN), Optional.empty(), Optional.empty(), 1, before, "a#1");
            return new Looked(List.of(late), Optional.empty());
        }
    }

    @Test
    void aPageThatCannotBeReadEndsItsScanOnly() throws Exception {
        Ports ports = new InMemoryDatabase(clock, 1).ports();
        StuckFinder finder = new StuckFinder(
                new Spoiled(),
                new StoredStates(ports.journal(), ports.leases().shards(), new Programs(ports.workflows(), 1)),
                Duration.ofMinutes(15),
                _ -> false);
        try (StuckWatch watch = new StuckWatch(finder, _ -> true, Map::of, clock, warnings::add)) {
            for (int round = 1; round <= 2; round++) {
                watch.lookOnce();

                assertEquals(1L, watch.counts().getOrDefault(StuckKind.TIMER_OVERDUE, 0L));
                assertEquals(1, warnings.size());
            }
        }
    }
}
