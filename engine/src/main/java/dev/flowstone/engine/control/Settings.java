package dev.flowstone.engine.control;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import java.util.List;

/** Keeps what is set for scopes, and which shards know it. */
public interface Settings {
    /** Of a place where nobody sets anything. */
    Settings NONE = new Settings() {
        @Override
        public List<ScopeSetting> append(SettingRequest request) throws JournalException {
            throw new JournalException.Unavailable("nobody keeps settings here");
        }

        @Override
        public List<ScopeSetting> after(long number, int limit) {
            return List.of();
        }

        @Override
        public void acknowledge(Lease lease, long number) {}

        @Override
        public List<ShardAcknowledgement> acknowledgements() {
            return List.of();
        }
    };

    /**
     * Adds what a request makes, durable when it returns; writers wait for each other, so that numbers are gapless and in
     * the order of commits.
     *
     * @return what was added; nothing if nothing changes
     */
    List<ScopeSetting> append(SettingRequest request) throws JournalException;

    /** Rows after a number, in order, at most a page. */
    List<ScopeSetting> after(long number, int limit) throws JournalException;

    /**
     * From now on the shard decides and hands out nothing without heeding the settings up to this number.
     *
     * @throws JournalException.StaleEpoch if the shard is somebody else's by now
     */
    void acknowledge(Lease lease, long number) throws JournalException;

    /** What shards have acknowledged whose lease lives, by shard. One that lost its lease reads before it does anything. */
    List<ShardAcknowledgement> acknowledgements() throws JournalException;
}
