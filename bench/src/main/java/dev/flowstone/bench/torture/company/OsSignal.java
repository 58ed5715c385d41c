package dev.flowstone.bench.torture.company;

import dev.flowstone.bench.rig.Shell;
import java.io.IOException;
import java.util.List;

/** Signals that the JDK can't send. */
enum OsSignal {
    /** Goes on. */
    CONT,
    /** PostgreSQL: stops at once, without a checkpoint. */
    QUIT,
    /** Stands still; it can't be caught. */
    STOP;

    /** To a process that was started here. */
    void send(long processId) throws IOException {
        Shell.run(List.of("sh", "-c", "kill -" + name() + " " + processId));
    }
}
