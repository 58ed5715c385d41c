package dev.flowstone.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.security.token.JwkSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What the log says of keys that can't be had. */
final class IssuerKeysTest {
    private static final class Told extends Handler {
        private final List<Level> levels = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            levels.add(line.getLevel());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static List<Level> told(JwkSource.Loader loader, boolean stopped) {
        Logger log = Logger.getLogger(IssuerKeys.class.getName());
        Told told = new Told();
        log.addHandler(told);
        try {
            IssuerKeys keys = new IssuerKeys(JwkSource.of(loader), Optional.empty());
            if (stopped) {
                keys.close();
            }
            keys.ask();
        } finally {
            log.removeHandler(told);
        }
        return told.levels;
    }

    @Test
    void aFaultOfOursIsToldUnlessTheServerHasStopped() {
        JwkSource.Loader faulty = () -> {
            throw new IllegalStateException("a fault");
        };

        assertEquals(List.of(Level.WARNING), told(faulty, false));
        assertEquals(List.of(), told(faulty, true));
    }

    @Test
    void anIssuerThatIsAwayIsTold() {
        assertEquals(
                List.of(Level.WARNING),
                told(
                        () -> {
                            throw new IOException("away");
                        },
                        false));
    }
}
