package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.schedule.CronSuite;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The rows of {@code shared/suites/cron} against schedule triggers, over HTTP. */
@ExtendWith(SharedHouse.class)
final class CronSuiteTest {
    private final House house;

    CronSuiteTest(House house) {
        this.house = house;
    }

    private static String config(String cron, String zone) {
        JsonObject config =
                JsonObject.builder().put("cron", cron).put("timeZone", zone).build();
        return CanonicalJson.exactText(JsonObject.builder()
                .put("config", config)
                .put("isEnabled", false)
                .build());
    }

    /** What comes next: after just before, where the row wants the time itself to count, unless something was only moved there. */
    private String next(String path, String[] row, boolean inclusive) throws Exception {
        Instant from = CronSuite.time(row[2], row[1]);
        if (inclusive && from.equals(from.truncatedTo(ChronoUnit.SECONDS)) && from.isAfter(Instant.EPOCH)) {
            String next = after(path, from.minusNanos(1_000));
            if (!next.contains("\"at\":\"" + from + "\",\"clock\":\"moved\"")) {
                return next;
            }
        }
        return after(path, from);
    }

    private String after(String path, Instant from) throws Exception {
        return house.get(path + "/next?count=1&from=" + from).expect(200).text();
    }

    @Test
    void everyRowIsAsTheSuiteSays() throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"cron-suite\""));
        String path = "/triggers/"
                + house.post(
                                "/triggers",
                                "{\"workflowId\": \"cron-suite\", \"triggerType\": \"Schedule\", \"isEnabled\": false,"
                                        + " \"config\": {\"cron\": \"@daily\"}}")
                        .expect(201)
                        .text("id");
        List<String> wrong = new ArrayList<>();
        for (String[] row : CronSuite.rows("next", 527)) {
            house.put(path, config(row[0], row[1])).expect(200);
            if (row[2].startsWith("1900")) {
                // The interface speaks of times from 1970 on.
                house.get(path + "/next?from=" + CronSuite.time(row[2], row[1])).expect(400);
                continue;
            }
            String next = next(path, row, Boolean.parseBoolean(row[4]));
            if (!next.contains("\"at\":\"" + CronSuite.time(row[3], row[1]) + "\"")) {
                wrong.add(String.join(" | ", row) + " gives " + next);
            }
        }
        // Those of which no year has such a day can't be saved; of the others there is none after the time.
        for (String[] row : CronSuite.rows("never", 40)) {
            Answer saved = house.put(path, config(row[0], row[1]));
            if (saved.status() != 400) {
                String next = next(path, row, true);
                if (!next.contains("\"items\":[]")) {
                    wrong.add(String.join(" | ", row) + " gives " + next);
                }
            }
        }
        for (String[] row : CronSuite.rows("invalid", 148)) {
            Answer saved = house.put(path, config(row[0], "UTC"));
            if (saved.status() != 400) {
                wrong.add(String.join(" | ", row) + " is taken");
            }
        }
        assertEquals(List.of(), wrong);
    }
}
