package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What a node knows of settings, for all of its shards. Thread-safe; only {@link #refresh} asks anybody. */
public final class SettingWatch {
    private static final int PAGE = 500;

    private final Settings settings;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile SettingLog log = SettingLog.EMPTY;

    public SettingWatch(Settings settings) {
        this.settings = requireNonNull(settings);
    }

    /** What the last reading found. */
    public SettingLog log() {
        return log;
    }

    /** Reads what is new: everything that was durable when this was called. Tells whether there was anything. */
    public boolean refresh() throws JournalException {
        reading.lock();
        try {
            SettingLog before = log;
            List<ScopeSetting> page;
            do {
                page = settings.after(log.newest(), PAGE);
                log = log.with(page);
            } while (page.size() == PAGE);
            return log != before;
        } finally {
            reading.unlock();
        }
    }

    /** See {@link Settings#acknowledge}. */
    public void acknowledge(Lease lease, long number) throws JournalException {
        settings.acknowledge(lease, number);
    }
}
