package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.TenantId;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Event triggers for those who follow events: of all tenants. All of them have one cursor together in each stream of the feed, which the
 * owner of its shard moves. Thread-safe.
 */
public interface EventTriggers {
    /**
     * All that want the engine's events and are enabled, those among them whose workflow takes no executions now; without those that
     * can't be read.
     */
    List<Listening> listening() throws JournalException;

    /** The same of those of one tenant that want events from outside. */
    List<Listening> listening(TenantId tenant) throws JournalException;

    /** Up to where events were taken; a stream in which none ever was is missing. */
    Map<Integer, FeedPlace> places(Collection<Integer> streams) throws JournalException;

    /**
     * Records that all events up to there were taken. Never moves a cursor back.
     *
     * @param lease of the stream's shard
     * @throws JournalException.StaleEpoch if another has the shard
     */
    void advance(Lease lease, FeedPlace place) throws JournalException;

    /**
     * One that listens.
     *
     * @param since the row of each stream behind which it does; from the beginning in a stream that is missing
     */
    record Listening(Trigger trigger, Map<Integer, Long> since) {
        public Listening {
            requireNonNull(trigger);
            since = Map.copyOf(since);
        }

        /** Behind which row of a stream it listens. */
        public long since(int stream) {
            return since.getOrDefault(stream, 0L);
        }
    }
}
