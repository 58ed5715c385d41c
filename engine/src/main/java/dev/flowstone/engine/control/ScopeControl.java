package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The door through which operators hold whole scopes, and let them go. Thread-safe. */
public final class ScopeControl {
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Settings settings;
    private final SettingWatch watch;
    private final Runnable news;

    /**
     * A node's.
     *
     * @param news is told, on any thread, when the node has read a setting
     */
    public ScopeControl(Settings settings, SettingWatch watch, Runnable news) {
        this.settings = requireNonNull(settings);
        this.watch = requireNonNull(watch);
        this.news = requireNonNull(news);
    }

    /**
     * Changes a scope's setting, durable when it returns. This node's shards hear of it at once, others' within the time
     * between two readings.
     *
     * @return the number of the newest setting, which shards are to acknowledge
     */
    public long change(SettingRequest request) throws JournalException {
        List<ScopeSetting> made = settings.append(request);
        refresh();
        return made.isEmpty() ? watch.log().newest() : made.getLast().number();
    }

    /** Reads what others have set; called every now and then, and when somebody wants to know the newest. */
    public void refresh() throws JournalException {
        if (watch.refresh()) {
            news.run();
        }
    }

    /** What this node knows. */
    public SettingLog log() {
        return watch.log();
    }

    /** How far each shard heeds settings that somebody holds. */
    public List<ShardAcknowledgement> acknowledgements() throws JournalException {
        return settings.acknowledgements();
    }

    /**
     * Waits, in real time, until every shard that somebody holds heeds this number.
     *
     * @return those that don't yet when the patience is over; none if all do
     */
    public List<ShardAcknowledgement> await(long number, Duration patience) throws JournalException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            List<ShardAcknowledgement> missing = settings.acknowledgements().stream()
                    .filter(shard -> shard.number() < number)
                    .toList();
            if (missing.isEmpty()
                    || System.nanoTime() - end >= 0
                    || Thread.currentThread().isInterrupted()) {
                return missing;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
