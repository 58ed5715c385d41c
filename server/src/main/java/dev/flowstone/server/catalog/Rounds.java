package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does something again and again until it is told to end. The log says that it fails when it begins to, once a minute as long as it goes
 * on, and when it works again; nothing of what fails after the end. For one thread, but for {@link #end}.
 */
final class Rounds {
    private static final System.Logger LOG = System.getLogger(Rounds.class.getName());
    private static final Duration SAY_AGAIN = Duration.ofMinutes(1);

    private final String what;
    private final Duration pause;
    private final Round round;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean fails;
    private long said;

    /**
     * Nothing happens until it {@link #run}s.
     *
     * @param what for people: the log says that it fails, or works
     */
    Rounds(String what, Duration pause, Round round) {
        this.what = requireNonNull(what);
        this.pause = requireNonNull(pause);
        this.round = requireNonNull(round);
    }

    /** What is done. */
    @FunctionalInterface
    interface Round {
        void make() throws JournalException;
    }

    /** Returns after the end, and after the round that was under way. */
    void run() {
        try {
            do {
                once();
            } while (!ended.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** At once; one that is under way ends by itself. */
    void end() {
        ended.countDown();
    }

    boolean isOver() {
        return ended.getCount() == 0;
    }

    private void once() {
        try {
            round.make();
            if (fails) {
                LOG.log(Level.INFO, what + " works again");
            }
            fails = false;
        } catch (JournalException e) {
            failed(Level.WARNING, e);
        } catch (RuntimeException e) {
            failed(Level.ERROR, e);
        }
    }

    private void failed(Level level, Exception why) {
        if (isOver()) {
            LOG.log(Level.DEBUG, what + " fails at the end", why);
            return;
        }
        if (!fails || System.nanoTime() - said > SAY_AGAIN.toNanos()) {
            if (level == Level.ERROR) {
                LOG.log(level, what + " fails", why);
            } else {
                LOG.log(level, what + " fails: " + why.getMessage());
            }
            said = System.nanoTime();
        }
        fails = true;
    }
}
