package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.BadData;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.stuck.Place;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Looks for runs of this node that stand still, in rounds over all tenants: a few pages at a time, however many runs there are, so
 * that a round over very many takes as many looks as it needs. Counts them, and warns in the log when there come to be more.
 */
final class StuckWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(StuckWatch.class.getName());

    /** Of one look. */
    private static final int PAGES = 100;

    private static final int STATES = 500;
    private static final int SUSPECTS = 100;
    private static final Set<StuckKind> ALL = EnumSet.allOf(StuckKind.class);

    private final StuckFinder finder;
    private final Predicate<Slot> mine;
    private final Supplier<Map<RunKey, String>> setAside;
    private final Clock clock;
    private final Consumer<String> warnings;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Optional<TenantId> tenant = Optional.empty();
    private Optional<Place> place = Optional.empty();
    private Map<StuckKind, Long> round = new EnumMap<>(StuckKind.class);
    private volatile Map<StuckKind, Long> last = Map.of();

    /**
     * One that looks when it is told to.
     *
     * @param mine whose runs this node has
     * @param setAside runs that this node can't go on with
     * @param warnings is told when there come to be more
     */
    StuckWatch(
            StuckFinder finder,
            Predicate<Slot> mine,
            Supplier<Map<RunKey, String>> setAside,
            Clock clock,
            Consumer<String> warnings) {
        this.finder = requireNonNull(finder);
        this.mine = requireNonNull(mine);
        this.setAside = requireNonNull(setAside);
        this.clock = requireNonNull(clock);
        this.warnings = requireNonNull(warnings);
    }

    /** One that looks at its pace until it is closed. */
    static StuckWatch start(
            StuckFinder finder,
            Predicate<Slot> mine,
            Supplier<Map<RunKey, String>> setAside,
            Clock clock,
            Duration every) {
        StuckWatch watch = new StuckWatch(finder, mine, setAside, clock, line -> LOG.log(Level.WARNING, line));
        Thread.ofVirtual().name("flowstone-stuck").start(() -> watch.look(every));
        return watch;
    }

    private void look(Duration every) {
        try {
            while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    lookOnce();
                } catch (JournalException e) {
                    LOG.log(Level.WARNING, "nobody can look now for runs that stand still: " + e.getMessage());
                } catch (RuntimeException e) {
                    LOG.log(Level.ERROR, "looking for runs that stand still failed", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Goes on with the round, and ends it if it comes to its end. */
    void lookOnce() throws JournalException {
        int states = 0;
        for (int page = 0; page < PAGES && states < STATES; page++) {
            if (place.isEmpty()) {
                tenant = finder.tenantAfter(tenant.map(TenantId::value).orElse(""));
                place = Place.first(ALL);
            }
            if (tenant.isEmpty()) {
                end();
                return;
            }
            states += page(tenant.get(), place.orElseThrow());
        }
    }

    /** A page that can't be read ends its scan, and not the round. How many states it has looked at. */
    private int page(TenantId of, Place from) throws JournalException {
        try {
            StuckFinder.Page found = finder.page(of, from, ALL, mine, SUSPECTS, clock.now());
            found.findings().forEach(finding -> round.merge(finding.kind(), 1L, Long::sum));
            place = found.next();
            return found.loaded();
        } catch (BadData | RuntimeException e) {
            LOG.log(Level.ERROR, "looking for runs of " + of + " that stand still failed at " + from, e);
            place = from.afterScan(ALL);
            return 0;
        }
    }

    private void end() {
        int aside = setAside.get().size();
        if (aside > 0) {
            round.merge(StuckKind.SET_ASIDE, (long) aside, Long::sum);
        }
        Map<StuckKind, Long> before = last;
        last = Map.copyOf(round);
        round = new EnumMap<>(StuckKind.class);
        place = Optional.empty();
        if (sum(last) > sum(before)) {
            warnings.accept(
                    "runs stand still: " + new EnumMap<>(last) + "; `flowstone stuck` lists them, with what helps");
        }
    }

    private static long sum(Map<StuckKind, Long> counts) {
        return counts.entrySet().stream()
                .filter(kind -> kind.getKey().alarms())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** As of the last whole round; each kind. */
    Map<StuckKind, Long> counts() {
        Map<StuckKind, Long> now = last;
        Map<StuckKind, Long> all = new EnumMap<>(StuckKind.class);
        for (StuckKind kind : StuckKind.values()) {
            all.put(kind, now.getOrDefault(kind, 0L));
        }
        return all;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
