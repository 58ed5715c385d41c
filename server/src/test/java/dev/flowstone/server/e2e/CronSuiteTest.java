package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.schedule.CronSuite;
import java.time.Instant;
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
        return CanonicalJson.exactText(
                JsonObject.builder().put("config", config).put("isEnabled", false).build());
    }

    /** Just before, where the row wants the time itself to count; the interface speaks of times from 1970 on. */
    private static Instant from(String[] row, boolean inclusive) {
        Instant from = CronSuite.time(row[2], row[1]);
        return inclusive && from.isAfter(Instant.EPOCH) ? from.minusNanos(1_000) : from;
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
                house.get(path + "/next?from=" + from(row, false)).expect(400);
                continue;
            }
            String next = house.get(path + "/next?count=1&from=" + from(row, Boolean.parseBoolean(row[4])))
                    .expect(200)
                    .text();
            if (!next.contains("\"at\":\"" + CronSuite.time(row[3], row[1]) + "\"")) {
                wrong.add(String.join(" | ", row) + " gives " + next);
            }
        }
        // Those of which no year has such a day can't be saved; of the others there is none after the time.
        for (String[] row : CronSuite.rows("never", 40)) {
            Answer saved = house.put(path, config(row[0], row[1]));
            if (saved.status() != 400) {
                String next = house.get(path + "/next?from=" + from(row, true)).expect(200).text();
                if (!next.contains("\"items\":[]")) {
                    wrong.add(String.join(" | ", row) + " gives " + next);
                }
            }
        }
        for (String[] row : CronSuite.rows("invalid", 148)) {
            Answer saved = house.put(path, config(row[0], "UTC"));
            // A format of five fields takes no six and the other way round; a schedule takes both.
            if (saved.status() != 400) {
                wrong.add(String.join(" | ", row) + " is taken");
            }
        }
        assertEquals(List.of(), wrong);
    }
}
