package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** CloudEvents as they were taken, in their order: what a subscriber that keeps everything has. Thread-safe. */
final class Arrivals {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition came = lock.newCondition();
    private final List<Arrival> taken = new ArrayList<>();

    /** One event. */
    record Arrival(String id, String run, long sequence, String type) {
        static Arrival of(JsonObject event) {
            return new Arrival(
                    text(event, "id"),
                    text(event, "subject"),
                    Long.parseLong(text(event, "sequence")),
                    text(event, "type"));
        }

        static String text(JsonObject event, String member) {
            return event.get(member) instanceof JsonString text ? text.value() : "no " + member;
        }
    }

    void take(Arrival arrival) {
        lock.lock();
        try {
            taken.add(arrival);
            came.signalAll();
        } finally {
            lock.unlock();
        }
    }

    List<Arrival> all() {
        lock.lock();
        try {
            return List.copyOf(taken);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what came. */
    void clear() {
        lock.lock();
        try {
            taken.clear();
        } finally {
            lock.unlock();
        }
    }

    private Set<String> ids() {
        Set<String> ids = new HashSet<>();
        taken.forEach(one -> ids.add(one.id()));
        return ids;
    }

    /** Waits until all events of these runs have come, by run and how many it has. */
    void await(Map<String, Long> runs) throws InterruptedException {
        Set<String> wanted = new HashSet<>();
        runs.forEach((run, events) -> {
            for (long i = 1; i <= events; i++) {
                wanted.add(run + "/" + i);
            }
        });
        lock.lock();
        try {
            long left = TimeUnit.MINUTES.toNanos(4);
            while (!ids().containsAll(wanted)) {
                assertTrue(left > 0, () -> "missing: " + missing(wanted));
                left = came.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private Set<String> missing(Set<String> wanted) {
        Set<String> missing = new HashSet<>(wanted);
        missing.removeAll(ids());
        return missing;
    }

    /** Of each run the events came in order, without a gap; what came again is what had come before. */
    void assertInOrder() {
        Map<String, Long> next = new HashMap<>();
        for (Arrival one : all()) {
            long expected = next.getOrDefault(one.run(), 1L);
            assertTrue(one.sequence() <= expected, () -> one + " came before event " + expected + " of its run");
            if (one.sequence() == expected) {
                next.put(one.run(), expected + 1);
            }
            assertEquals(one.run() + "/" + one.sequence(), one.id());
        }
    }
}
