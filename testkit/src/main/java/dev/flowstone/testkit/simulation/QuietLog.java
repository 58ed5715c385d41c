package dev.flowstone.testkit.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;

/** While it is open the engine logs nothing: it would complain of every fault, which is what it is there for. */
final class QuietLog implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.flowstone.engine");
    private final Level before = logger.getLevel();

    QuietLog() {
        logger.setLevel(Level.OFF);
    }

    @Override
    public void close() {
        logger.setLevel(before);
    }
}
