package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a test asks of a node, of whichever release. */
interface AnyNode {
    House.Answer post(String path, String body, String... headers) throws Exception;

    House.Answer get(String path) throws Exception;

    static AnyNode of(OlderNode older) {
        return new AnyNode() {
            @Override
            public House.Answer post(String path, String body, String... headers) throws Exception {
                return older.post(path, body, headers);
            }

            @Override
            public House.Answer get(String path) throws Exception {
                return older.get(path);
            }
        };
    }

    static AnyNode of(House newer) {
        return new AnyNode() {
            @Override
            public House.Answer post(String path, String body, String... headers) throws Exception {
                return newer.post(path, body, headers);
            }

            @Override
            public House.Answer get(String path) throws Exception {
                return newer.get(path);
            }
        };
    }

    /** Again while it is told that nobody has the run's shard right now. */
    default House.Answer asked(String path, String body, String... headers) throws Exception {
        List<House.Answer> last = new ArrayList<>();
        until("it is answered: " + path, () -> {
            last.clear();
            last.add(post(path, body, headers));
            return last.getFirst().status() != 503;
        });
        return last.getFirst();
    }

    static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
