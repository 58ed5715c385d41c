package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A schedule, and what it has fired.
 *
 * @param id the trigger's
 */
record Timetable(String id) {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

    /** Fires each second. */
    static final String EACH_SECOND = "{\"cron\": \"* * * * * *\"}";

    /** Something that it has fired. */
    record Tick(Instant at, Instant receivedAt, String status, String execution) {
        private static Tick of(JsonObject delivery) {
            return new Tick(
                    Instant.parse(Sender.text(delivery, "deliveryId")),
                    Instant.parse(Sender.text(delivery, "receivedAt")),
                    Sender.text(delivery, "status"),
                    Sender.text(delivery, "executionId"));
        }

        /** When it was claimed. */
        Duration late() {
            return Duration.between(at, receivedAt);
        }
    }

    /** Makes one, with more members behind a comma. */
    static Timetable of(House house, String workflow, String config, String more) throws Exception {
        String body = "{\"workflowId\": \"" + workflow + "\", \"triggerType\": \"Schedule\", \"config\": " + config
                + more + "}";
        return new Timetable(house.post("/triggers", body).expect(201).text("id"));
    }

    static Timetable of(House house, String workflow, String config) throws Exception {
        return of(house, workflow, config, "");
    }

    String path() {
        return "/triggers/" + id;
    }

    /** What it has fired, by tick. */
    List<Tick> ticks(House house) throws Exception {
        List<Tick> found = new ArrayList<>();
        String cursor = "";
        while (true) {
            JsonObject page = house.get(path() + "/deliveries?limit=200" + cursor)
                    .expect(200)
                    .object();
            for (JsonValue item : ((JsonArray) page.find("items").orElseThrow()).items()) {
                found.add(Tick.of((JsonObject) item));
            }
            String next = Sender.text(page, "next");
            if (next.equals("null")) {
                return found.stream().sorted(Comparator.comparing(Tick::at)).toList();
            }
            cursor = "&cursor=" + next;
        }
    }

    /** Waits until what it has fired is so. */
    List<Tick> until(House house, Predicate<List<Tick>> holds) throws Exception {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            List<Tick> ticks = ticks(house);
            if (holds.test(ticks)) {
                return ticks;
            }
            assertTrue(System.nanoTime() < end, () -> "never: " + ticks);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Waits until so many are settled, at least. */
    List<Tick> settled(House house, int count) throws Exception {
        return until(
                house,
                ticks -> ticks.stream()
                                .filter(it -> !it.status().equals("received"))
                                .count()
                        >= count);
    }

    /** Turns it off, and waits until all is settled. */
    List<Tick> off(House house) throws Exception {
        house.post(path() + "/disable", "").expect(200);
        return until(house, ticks -> ticks.stream().noneMatch(it -> it.status().equals("received")));
    }
}
