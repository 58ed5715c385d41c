package dev.flowstone.engine.verify;

import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run's chain as far as it has been recomputed. Keeps the first fault and looks no further. */
public final class Chain {
    private final Head head;
    private long sequence;
    private Sha256 hash = Sha256.ZERO;
    private @Nullable ChainFault fault;

    public Chain(Head head) {
        this.head = head;
    }

    /** Whose hashes were recomputed and stand. */
    public long events() {
        return sequence;
    }

    public Optional<ChainFault> fault() {
        return Optional.ofNullable(fault);
    }

    /** Goes on with the next entry; answers its events, or none once the chain is broken. */
    public List<Event> add(StoredEntry entry) {
        return fault == null ? check(entry) : List.of();
    }

    private List<Event> check(StoredEntry entry) {
        if (entry.firstSequence() != sequence + 1) {
            broken(
                    entry.firstSequence() <= sequence
                            ? "an entry that begins at event " + entry.firstSequence() + " stands twice or out of order"
                            : "events up to " + (entry.firstSequence() - 1) + " are missing");
            return List.of();
        }
        try {
            List<Event> events = JournalEntry.decode(entry.bytes(), entry.firstSequence(), hash);
            accept(entry, events);
            return fault == null ? events : List.of();
        } catch (CorruptEntryException e) {
            broken("the stored bytes are not what was written: " + e.getMessage());
        } catch (RuntimeException e) {
            broken("the stored bytes can't be read: " + e);
        }
        return List.of();
    }

    private void accept(StoredEntry entry, List<Event> events) {
        Event last = events.getLast();
        if (last.sequence() != entry.lastSequence()) {
            broken("the entry says that it ends with event " + entry.lastSequence() + " and holds events up to "
                    + last.sequence());
        } else if (!last.hash().equals(entry.hash())) {
            broken("the hash of events " + entry.firstSequence() + " to " + entry.lastSequence() + " is " + last.hash()
                    + ", stored is " + entry.hash());
        } else if (!last.header().run().equals(head.run().run())
                || !last.header().tenant().equals(head.run().tenant())) {
            broken("the events are another run's: " + last.id());
        } else {
            sequence = entry.lastSequence();
            hash = entry.hash();
        }
    }

    /** After the last entry: the row must point at the chain's end. */
    public Optional<ChainFault> end() {
        if (fault == null && head.lastSequence() != sequence) {
            broken(
                    head.lastSequence() > sequence
                            ? "the run's row says " + head.lastSequence() + " events: the last ones are missing"
                            : "the run's row says " + head.lastSequence() + " events: there are more, up to "
                                    + sequence);
        } else if (fault == null && !head.lastHash().equals(hash)) {
            broken("the run's row holds the hash " + head.lastHash() + ", the chain ends in " + hash);
        }
        return fault();
    }

    private void broken(String reason) {
        fault = new ChainFault(head.run(), sequence + 1, reason);
    }
}
