package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.HeldConnections;
import dev.flowstone.postgres.PostgresConfig;
import java.time.Duration;

/** Takes every connection that a database has, and each that is given back, for as long as it stays. */
final class Squatter {
    private static final Duration GLANCE = Duration.ofMillis(50);

    private final HeldConnections held;
    private final Thread thread;
    private volatile boolean stays = true;

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
                int _ = held.seize();
                Thread.sleep(GLANCE);
            }
        } catch (JournalException e) {
            // What it holds by then is enough.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void leave() throws JournalException, InterruptedException {
        stays = false;
        thread.join();
        held.close();
    }
}
