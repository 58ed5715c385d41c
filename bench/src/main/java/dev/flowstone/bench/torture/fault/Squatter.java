package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.HeldConnections;
import dev.flowstone.postgres.PostgresConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes every connection that a database has, and each that is given back, for as long as it stays. */
final class Squatter {
    private static final Duration GLANCE = Duration.ofMillis(50);

    private final HeldConnections held;
    private final Thread thread;
    private volatile boolean stays = true;

    /** Connections that it had when there were no more. Of its thread until that has ended, as is what failed last. */
    private int most;

    private @Nullable JournalException failed;

    private Squatter(PostgresConfig database) {
        this.held = HeldConnections.of(requireNonNull(database));
        this.thread = Thread.ofVirtual().name("torture-squatter").unstarted(this::squat);
    }

    /** Begins: nodes lose what they have, and find that it is taken. */
    static Squatter begin(PostgresConfig database) {
        Squatter squatter = new Squatter(database);
        squatter.thread.start();
        return squatter;
    }

    private void squat() {
        try {
            while (stays) {
                seize();
                Thread.sleep(GLANCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void seize() {
        try {
            most = Math.max(most, held.seize());
        } catch (JournalException e) {
            // The next time may be better.
            failed = e;
        }
    }

    /**
     * Gives all back.
     *
     * @throws IllegalStateException if it never had every connection
     */
    void leave() throws JournalException, InterruptedException {
        stays = false;
        thread.join();
        held.close();
        if (most == 0) {
            throw new IllegalStateException("the database's connections could never all be taken", failed);
        }
    }
}
