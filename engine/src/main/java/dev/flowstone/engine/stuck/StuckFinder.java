package dev.flowstone.engine.stuck;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.shard.StoredState;
import dev.flowstone.engine.shard.StoredStates;
import dev.flowstone.engine.stuck.Suspects.Looked;
import dev.flowstone.engine.stuck.Suspects.Suspect;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Looks through a tenant's rows page by page, and at the states of those that are suspicious. A page costs the rows that it looks
 * at and the states that it loads, whatever else there is; it may find nothing and still not be the last. Thread-safe.
 */
public final class StuckFinder {
    private final Suspects suspects;
    private final StoredStates states;
    private final Duration after;
    private final Predicate<HandlerName> remote;

    /**
     * A finder.
     *
     * @param after how long a run may stand still, and things wait, before anybody worries
     * @param remote what workers in other processes do
     */
    public StuckFinder(Suspects suspects, StoredStates states, Duration after, Predicate<HandlerName> remote) {
        this.suspects = requireNonNull(suspects);
        this.states = requireNonNull(states);
        this.after = requireNonNull(after);
        this.remote = requireNonNull(remote);
    }

    /**
     * What a page has found.
     *
     * @param next where the next one begins; empty at the end of the round
     * @param loaded states that were looked at
     */
    public record Page(List<Finding> findings, Optional<Place> next, int loaded) {
        public Page {
            findings = List.copyOf(findings);
            requireNonNull(next);
        }
    }

    /** The first tenant after this one, in the order of their names, that has runs. */
    public Optional<TenantId> tenantAfter(String tenant) throws JournalException {
        return suspects.tenantAfter(tenant);
    }

    /**
     * One page.
     *
     * @param kinds that are looked for
     * @param mine runs of other slots are passed over
     * @param most suspects that are looked at, and so things that are found
     * @throws IllegalArgumentException if there is no such place
     */
    public Page page(TenantId tenant, Place place, Set<StuckKind> kinds, Predicate<Slot> mine, int most, Instant now)
            throws JournalException {
        Looked looked = suspects.look(tenant, place, now.minus(after), most);
        List<Suspect> ours = looked.suspects().stream()
                .filter(suspect -> mine.test(suspect.run().run().slot()))
                .toList();
        List<Finding> found = place.scan().needsState() ? judged(place.scan(), ours, now) : waiting(place.scan(), ours);
        Optional<Place> next =
                looked.next().map(row -> new Place(place.scan(), row)).or(() -> place.afterScan(kinds));
        return new Page(
                found.stream().filter(finding -> kinds.contains(finding.kind())).toList(),
                next,
                place.scan().needsState() ? ours.size() : 0);
    }

    private List<Finding> judged(Scan scan, List<Suspect> suspicious, Instant now) throws JournalException {
        Map<RunKey, StoredState> known =
                states.read(suspicious.stream().map(Suspect::run).toList());
        List<Finding> found = new ArrayList<>();
        for (Suspect suspect : suspicious) {
            StoredState stored = known.get(suspect.run());
            // One that has moved since it was looked at isn't stuck.
            if (stored == null || stored.lastSequence() != suspect.lastSequence()) {
                continue;
            }
            Optional<Standstill> standstill = stored.state()
                    .map(state -> judged(scan, state, suspect, now))
                    .orElseGet(() -> Optional.of(new Standstill(StuckKind.DAMAGED, stored.fault(), Help.REBUILD)));
            standstill.ifPresent(it -> found.add(finding(suspect, it.kind(), it.why(), it.help())));
        }
        return found;
    }

    private Optional<Standstill> judged(Scan scan, RunState state, Suspect suspect, Instant now) {
        return scan.quiet().isPresent()
                ? Standstill.ofQuiet(state)
                : Standstill.ofAwake(state, Duration.between(suspect.since(), now), after, remote);
    }

    private static List<Finding> waiting(Scan scan, List<Suspect> late) {
        List<Finding> found = new ArrayList<>();
        for (Suspect suspect : late) {
            boolean over =
                    suspect.status().isPresent() && suspect.status().get().isFinal();
            found.add(
                    switch (scan) {
                        case TIMERS ->
                            finding(
                                    suspect,
                                    StuckKind.TIMER_OVERDUE,
                                    "its timer " + suspect.what() + " should have fired",
                                    over ? Help.REBUILD : Help.REENQUEUE);
                        case MESSAGES ->
                            finding(
                                    suspect,
                                    StuckKind.MESSAGE_WAITING,
                                    "nobody has taken the message " + suspect.what(),
                                    Help.REENQUEUE);
                        case LETTERS ->
                            finding(
                                    suspect,
                                    StuckKind.LETTER_WAITING,
                                    "the letter " + suspect.what() + " is not known to have arrived",
                                    Help.REENQUEUE);
                        case RUNNING, FAILING, COMPENSATING, CANCELING, AWAKE ->
                            throw new IllegalArgumentException(scan + " tells by states");
                    });
        }
        return found;
    }

    private static Finding finding(Suspect suspect, StuckKind kind, String why, Help help) {
        return new Finding(suspect.run(), suspect.workflow(), kind, Optional.of(suspect.since()), why, help);
    }
}
