package dev.flowstone.testkit.scenario;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayList;
import java.util.List;

/** A run's stored events, read back with their chain verified from the first to the last. */
public final class History {
    private static final int PAGE = 1_000;

    private final List<Event> events;

    private History(List<Event> events) {
        this.events = List.copyOf(events);
    }

    /**
     * Reads it.
     *
     * @throws IllegalStateException if the chain is broken or has a gap
     */
    public static History of(RunReader reader, TenantId tenant, RunId run) {
        List<Event> events = new ArrayList<>();
        Sha256 hash = Sha256.ZERO;
        try {
            List<StoredEntry> page = reader.entries(tenant, run, 1, PAGE);
            while (!page.isEmpty()) {
                for (StoredEntry entry : page) {
                    if (entry.firstSequence() != events.size() + 1) {
                        throw new IllegalStateException("event " + (events.size() + 1) + " of " + run + " is missing");
                    }
                    events.addAll(JournalEntry.decode(entry.bytes(), entry.firstSequence(), hash));
                    hash = events.getLast().hash();
                    if (!hash.equals(entry.hash())) {
                        throw new IllegalStateException("the chain of " + run + " breaks at " + entry.firstSequence());
                    }
                }
                page = reader.entries(tenant, run, events.size() + 1L, PAGE);
            }
        } catch (JournalException | CorruptEntryException e) {
            throw new IllegalStateException("the history of " + run + " can't be read", e);
        }
        return new History(events);
    }

    public List<Event> events() {
        return events;
    }

    /** The bodies of one kind, in order. */
    public <T extends EventBody> List<T> all(Class<T> kind) {
        return events.stream()
                .map(Event::body)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    public long count(Class<? extends EventBody> kind) {
        return all(kind).size();
    }

    /** The kinds, in order; for comparisons and messages. */
    public List<String> kinds() {
        return events.stream().map(event -> event.body().kind()).toList();
    }

    @Override
    public String toString() {
        return kinds().toString();
    }
}
