package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run that another one called, as its caller's events tell.
 *
 * @param sequence number of the event in the caller that started it
 * @param ended how it ended, once the caller has heard of that
 */
public record Child(long sequence, Instant startedAt, ChildStarted started, Optional<ChildEnded> ended) {
    public Child {
        requireNonNull(startedAt);
        requireNonNull(started);
        requireNonNull(ended);
    }

    public RunId id() {
        return started.child();
    }

    /** Whom a run called, in the order of their beginning. Reads all of its events. */
    public static List<Child> of(RunHistory history, TenantId tenant, RunId caller) throws JournalException {
        Map<RunId, Child> all = new LinkedHashMap<>();
        history.replay(tenant, caller, 1, event -> add(all, event));
        return List.copyOf(all.values());
    }

    private static void add(Map<RunId, Child> all, Event event) {
        if (event.body() instanceof ChildStarted started) {
            all.put(
                    started.child(),
                    new Child(event.sequence(), event.header().eventTime(), started, Optional.empty()));
        } else if (event.body() instanceof ChildEnded ended) {
            all.computeIfPresent(
                    ended.child(),
                    (id, child) -> new Child(child.sequence(), child.startedAt(), child.started(), Optional.of(ended)));
        }
    }
}
