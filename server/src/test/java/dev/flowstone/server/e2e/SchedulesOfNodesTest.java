package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.server.e2e.Timetable.Tick;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case 19: nodes share schedules as they share shards, and each tick is one execution, whoever comes and goes. */
final class SchedulesOfNodesTest {
    private static final int SCHEDULES = 6;
    private static final String ONE_STEP = """
            {"id": "shared", "displayName": "One step", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""";

    @TempDir
    Path folder = Path.of("");

    private static Instant someTicksMore(House house, List<Timetable> all) throws Exception {
        Instant now = Instant.now();
        for (Timetable one : all) {
            one.until(
                    house,
                    ticks -> ticks.stream()
                            .anyMatch(it -> it.at().isAfter(now.plusSeconds(1))
                                    && !it.status().equals("received")));
        }
        return now;
    }

    @Test
    void aTickIsOneExecutionThroughTakeovers() throws Exception {
        try (Company company = new Company(folder)) {
            company.join("one", Map.of());
            company.join("two", Map.of());
            company.untilEachHasItsPart();
            House one = company.houses().getFirst();
            one.publish(ONE_STEP);
            List<Timetable> all = new ArrayList<>();
            for (int i = 0; i < SCHEDULES; i++) {
                all.add(Timetable.of(
                        company.any(i),
                        "shared",
                        "{\"cron\": \"* * * * * *\", \"missedFirePolicy\": \"fireAll\", \"maxMissed\": 1000}"));
            }
            someTicksMore(one, all);
            company.leave();
            someTicksMore(one, all);
            company.join("three", Map.of());
            company.untilEachHasItsPart();
            someTicksMore(one, all);
            assertInstanceOf(
                            FlowstoneEngine.class,
                            company.houses().getLast().flowstone().engine())
                    .crash();
            Company.until("one has all", () -> Company.shards(one) == 4);
            Instant mark = someTicksMore(one, all);
            for (Timetable schedule : all) {
                schedule.until(
                        one,
                        ticks -> ticks.stream()
                                .noneMatch(it ->
                                        !it.at().isAfter(mark) && it.status().equals("received")));
            }

            Set<String> executions = new HashSet<>();
            int count = 0;
            for (Timetable schedule : all) {
                List<Tick> ticks = schedule.off(one);
                for (int i = 1; i < ticks.size(); i++) {
                    assertEquals(
                            ticks.get(i - 1).at().plusSeconds(1), ticks.get(i).at(), ticks::toString);
                }
                for (Tick tick : ticks) {
                    // The last ones may have found the schedule turned off.
                    if (!tick.at().isAfter(mark) || !tick.status().equals("refused")) {
                        assertTrue(Set.of("started", "repeated").contains(tick.status()), ticks::toString);
                        assertTrue(executions.add(tick.execution()), ticks::toString);
                        count++;
                    }
                }
            }
            try (Connection superuser = company.superuser();
                    Statement statement = superuser.createStatement();
                    ResultSet row =
                            statement.executeQuery("SELECT count(*) FROM flowstone.runs WHERE workflow = 'shared'")) {
                row.next();
                assertEquals(count, row.getInt(1), "executions without a tick, or ticks without one");
            }
        }
    }
}
