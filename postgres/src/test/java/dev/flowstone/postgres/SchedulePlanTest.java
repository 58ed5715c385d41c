package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is due of schedules is found along their index, and what is due and another node's isn't read. */
final class SchedulePlanTest extends PostgresTest {
    private static void assertAlong(String index, String time, String plan) {
        Pattern due = Pattern.compile(
                "Index Scan using " + index + " on .*\\n *Index Cond: .*" + time + " <= .*slot >= .*slot <= ");
        assertTrue(due.matcher(plan).find(), plan);
        assertFalse(plan.contains("Seq Scan on trigger"), plan);
    }

    @Test
    void whatIsDueIsFoundAlongTheIndex() throws Exception {
        try (Connection connection = TestServer.admin(config())) {
            assertAlong(
                    "trigger_schedules_look_at",
                    "look_at",
                    OutboxPlanTest.plan(
                            connection,
                            "integer[], integer[], timestamptz, text[], integer, integer",
                            "'{0}', '{2047}', now(), '{}', 500, 500",
                            PostgresTriggerSchedules.WAITING));
            assertAlong(
                    "trigger_ticks_try_at",
                    "try_at",
                    OutboxPlanTest.plan(
                            connection,
                            "integer[], integer[], timestamptz, text[], uuid[], integer, integer",
                            "'{0}', '{2047}', now(), '{}', '{}', 500, 500",
                            PostgresTriggerSchedules.OPEN));
        }
    }
}
