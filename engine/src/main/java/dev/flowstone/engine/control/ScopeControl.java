package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The door through which operators hold whole scopes, and let them go. Thread-safe. */
public final class ScopeControl {
    private static final System.Logger LOG = System.getLogger(ScopeControl.class.getName());
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
     * Who heeds a setting.
     *
     * @param byAll whether every shard that somebody holds does, as far as is known
     * @param missing those that are known not to
     */
    public record Heeding(boolean byAll, List<ShardAcknowledgement> missing) {
        public Heeding {
            missing = List.copyOf(missing);
        }
    }

    /**
     * Changes a scope's setting, durable when it returns. This node's shards hear of it at once if it can be read again,
     * otherwise, like others', within the time between two readings that succeed.
     *
     * @return the number of the newest setting, which shards are to acknowledge
     * @throws JournalException if nothing was set, as far as is known
     */
    public long change(SettingRequest request) throws JournalException {
        List<ScopeSetting> made = settings.append(request);
        if (made.isEmpty()) {
            refresh();
            return watch.log().newest();
        }
        try {
            refresh();
        } catch (JournalException | RuntimeException e) {
            // It is set all the same, and is read with the next reading; until then this node's shards don't
            // acknowledge it.
            LOG.log(Level.WARNING, "settings of scopes can't be read now: " + e.getMessage());
        }
        return made.getLast().number();
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
     * Waits, in real time, until every shard that somebody holds heeds this number. Never throws: what is set stays set, also
     * if nobody can tell now who heeds it.
     */
    public Heeding await(long number, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Heeding heeding = heeding(number);
            if (heeding.byAll()
                    || System.nanoTime() - end >= 0
                    || Thread.currentThread().isInterrupted()) {
                return heeding;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private Heeding heeding(long number) {
        try {
            List<ShardAcknowledgement> missing = settings.acknowledgements().stream()
                    .filter(shard -> shard.number() < number)
                    .toList();
            return new Heeding(missing.isEmpty(), missing);
        } catch (JournalException e) {
            LOG.log(Level.DEBUG, () -> "acknowledgements can't be read now: " + e.getMessage());
            return new Heeding(false, List.of());
        }
    }
}
