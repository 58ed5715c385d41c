package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much is told. */
final class LoggingTest {
    private static final String LEVEL = "FLOWSTONE_LOG";

    @AfterEach
    void reset() throws IOException {
        LogManager.getLogManager().readConfiguration();
    }

    @Test
    void noLevelShowsWhatLibrariesSend() {
        Logger headers = Logger.getLogger("org.apache.hc.client5.http.headers");
        Logger wire = Logger.getLogger("org.postgresql.core.v3.QueryExecutorImpl");
        for (String level : new String[] {"FINE", "FINEST", "ALL"}) {
            Logging.toStandardError(Map.of(LEVEL, level));

            assertTrue(Logger.getLogger("dev.flowstone").isLoggable(Level.FINE), level);
            assertFalse(headers.isLoggable(Level.FINE), level);
            assertFalse(wire.isLoggable(Level.FINE), level);
            assertTrue(wire.isLoggable(Level.INFO), level);
        }
    }

    @Test
    void librariesTellNoMoreThanWeDo() {
        Logging.toStandardError(Map.of(LEVEL, "SEVERE"));

        assertFalse(Logger.getLogger("org.apache.hc").isLoggable(Level.WARNING));
    }
}
