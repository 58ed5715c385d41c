package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /metrics} says over HTTP is what the database holds, after real runs on a real database. */
@TestInstance(Lifecycle.PER_CLASS)
final class MetricsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String GOOD = """
            {"id": "good", "displayName": "Good", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "parameters": {"v": "{{ trigger.v }}"},
               "edges": [{"targetNode": "b", "condition": "trigger.v > 0"}]},
              {"id": "b", "actionType": "core.delay", "parameters": {"duration": "PT0.05S"}}]}
            """;
    private static final String FLAKY = """
            {"id": "flaky", "displayName": "Flaky", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.sometimes-fails", "parameters": {"failures": 2},
               "policies": {"retry": {"maxAttempts": 4, "baseDelayMs": 1, "jitter": false}}}]}
            """;
    private static final String BAD = """
            {"id": "bad", "displayName": "Bad", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.fail", "parameters": {"code": "NO", "message": "it can't"}}]}
            """;

    private House house;
    private final List<RunRow> rows = new ArrayList<>();

    /** Only {@link #runSome} fills the field, before all tests. */
    @SuppressWarnings("NullAway.Init")
    MetricsTest() {}

    @BeforeAll
    void runSome(@TempDir Path data) throws Exception {
        house = House.open(data, Map.of(), BuiltInActions.registry());
        house.publish(GOOD);
        house.publish(FLAKY);
        house.publish(BAD);
        for (int i = 0; i < 3; i++) {
            rows.add(house.run("good", "{\"trigger\": {\"v\": 1}}"));
        }
        rows.add(house.run("flaky", "{}"));
        rows.add(house.run("bad", "{}"));
        rows.add(house.run("bad", "{}"));
    }

    @AfterAll
    void close() {
        house.close();
    }

    /** A scrape, by series as it is written; once the counters have caught up with the commits. */
    private Map<String, Double> scraped() throws Exception {
        long stored = rows.stream().mapToLong(RunRow::lastSequence).sum();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Map<String, Double> series = scrape();
            if (sum(series, "flowstone_events_total{") >= stored) {
                return series;
            }
            assertTrue(System.nanoTime() < end, () -> "of " + stored + " events: " + series);
        }
    }

    private Map<String, Double> scrape() throws Exception {
        Map<String, Double> series = new HashMap<>();
        for (String line : house.metrics().expect(200).text().lines().toList()) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                series.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            }
        }
        return series;
    }

    private static double value(Map<String, Double> series, String name) {
        Double value = series.get(name);
        if (value == null) {
            throw new AssertionError(name + " is not in " + series);
        }
        return value;
    }

    private static double sum(Map<String, Double> series, String prefix) {
        return series.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private long stored(Class<? extends EventBody> kind) {
        return rows.stream()
                .mapToLong(row -> house.history(row).all(kind).size())
                .sum();
    }

    @Test
    void everyStoredEventIsCountedOnce() throws Exception {
        List<RunRow> stored = house.flowstone().ports().runs().runs(House.TENANT, RunFilter.ALL, Optional.empty(), 100);

        Map<String, Double> series = scraped();

        assertEquals(rows.size(), stored.size());
        assertEquals(
                (double) stored.stream().mapToLong(RunRow::lastSequence).sum(), sum(series, "flowstone_events_total{"));
        assertEquals(
                (double) stored(EventBody.TaskScheduled.class),
                value(series, "flowstone_events_total{kind=\"TaskScheduled\"}"));
    }

    @Test
    void runsAreCountedByWorkflowAndByHowTheyEnded() throws Exception {
        Map<String, Double> series = scraped();

        assertEquals(3.0, value(series, "workflow_success_total{workflowId=\"good\"}"));
        assertEquals(1.0, value(series, "workflow_success_total{workflowId=\"flaky\"}"));
        assertEquals(2.0, value(series, "workflow_failure_total{reason=\"action_failed\",workflowId=\"bad\"}"));
        assertEquals(6.0, value(series, "flowstone_runs_started_total{tenant=\"default\"}"));
        assertEquals(
                (double) rows.stream()
                        .filter(row -> row.status() == RunStatus.SUCCEEDED)
                        .count(),
                value(series, "flowstone_runs_ended_total{status=\"succeeded\",tenant=\"default\"}"));
        assertEquals(3.0, value(series, "workflow_duration_seconds_count{status=\"Succeeded\",workflowId=\"good\"}"));
        double took = value(series, "workflow_duration_seconds_sum{status=\"Succeeded\",workflowId=\"good\"}");
        double inDatabase = rows.stream()
                .filter(row -> row.workflow().value().equals("good"))
                .mapToLong(row -> Duration.between(
                                row.key().run().birth(), row.endedAt().orElseThrow())
                        .toMillis())
                .sum();
        assertEquals(inDatabase / 1_000, took, 0.01, "from birth to end");
    }

    @Test
    void attemptsAreCountedByTheirAction() throws Exception {
        Map<String, Double> series = scraped();

        assertEquals(2.0, value(series, "action_retry_total{actionType=\"core.sometimes-fails\"}"));
        assertEquals(
                2.0, value(series, "action_failure_total{actionType=\"core.sometimes-fails\",status=\"retryable\"}"));
        assertEquals(2.0, value(series, "action_failure_total{actionType=\"core.fail\",status=\"permanent\"}"));
        assertEquals(3.0, value(series, "action_duration_seconds_count{actionType=\"core.echo\"}"));
        assertEquals(
                (double) stored(EventBody.TaskScheduled.class),
                value(series, "flowstone_step_duration_seconds_count{node_type=\"task\"}"));
        assertEquals(3.0, value(series, "condition_eval_duration_seconds_count"));
        assertTrue(value(series, "template_render_duration_seconds_count") >= 3, series::toString);
    }

    @Test
    void decisionsCommitsAndTimersAddUp() throws Exception {
        Map<String, Double> series = scraped();

        double decided = sum(series, "flowstone_decisions_total{");
        assertEquals(decided, value(series, "flowstone_decision_latency_seconds_count"));
        assertEquals(decided, value(series, "flowstone_commit_decisions_sum"));
        assertEquals(
                value(series, "flowstone_commits_total"), value(series, "flowstone_commit_duration_seconds_count"));
        assertTrue(value(series, "flowstone_commits_total") <= decided, series::toString);
        assertEquals((double) stored(EventBody.TimerFired.class), value(series, "flowstone_timer_lag_seconds_count"));
    }

    @Test
    void nothingWaitsAfterwards() throws Exception {
        Map<String, Double> series = scraped();

        for (String empty : List.of(
                "flowstone_outbox_pending",
                "flowstone_outbox_dead",
                "flowstone_outbox_oldest_seconds",
                "flowstone_inbox_waiting",
                "flowstone_letters_waiting",
                "flowstone_human_tasks_open",
                "flowstone_handlers_running{actionType=\"core.echo\"}",
                "flowstone_shard_queued_starts{shard=\"0\"}",
                "flowstone_runs_set_aside{shard=\"0\"}")) {
            assertEquals(0.0, value(series, empty), () -> empty + " in " + series);
        }
        assertEquals(1.0, value(series, "flowstone_shard_ready{shard=\"1\"}"));
        assertTrue(value(series, "jvm_memory_used_bytes{area=\"heap\"}") > 1_000_000, series::toString);
    }

    @Test
    void callsAreTimedByTheirRoute() throws Exception {
        house.get("/executions/nonsense-that-users-type").expect(404);

        Map<String, Double> series = scraped();

        assertEquals(
                6.0,
                value(
                        series,
                        "flowstone_http_request_duration_seconds_count"
                                + "{method=\"POST\",route=\"/api/v1/workflows/{id}/execute\",status=\"202\"}"));
        assertTrue(series.keySet().stream().noneMatch(key -> key.contains("nonsense")), series::toString);
    }
}
