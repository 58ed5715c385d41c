package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whoever reads events gets each once, in the order of each run, over any number of broken connections. */
@ExtendWith(SharedHouse.class)
final class EventStreamTest {
    private static String echo(String id) {
        return """
                {"id": "ID", "displayName": "Echo", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}, {"targetNode": "c"}]},
                  {"id": "b", "actionType": "core.echo", "edges": [{"targetNode": "d"}]},
                  {"id": "c", "actionType": "core.echo", "edges": [{"targetNode": "d"}]},
                  {"id": "d", "actionType": "core.echo"}]}
                """.replace("ID", id);
    }

    private static String text(JsonObject event, String member) {
        return ((JsonString) event.find(member).orElseThrow()).value();
    }

    private static long number(JsonObject event) {
        return ((JsonNumber) event.find("sequence_number").orElseThrow()).longValue();
    }

    /** Everything that the journal has of these runs, by run. */
    private static Map<String, List<JsonObject>> journal(House house, List<RunId> runs) throws Exception {
        RunHistory history = new RunHistory(house.flowstone().ports().runs());
        Map<String, List<JsonObject>> all = new HashMap<>();
        for (RunId run : runs) {
            List<JsonObject> events = new ArrayList<>();
            history.replay(House.TENANT, run, 1, event -> events.add(EventJson.of(event)));
            all.put(run.toString(), events);
        }
        return all;
    }

    private static List<JsonObject> journal(House house, RunId run) throws Exception {
        return List.copyOf(journal(house, List.of(run)).values()).getFirst();
    }

    @Test
    void nothingIsMissedOrRepeatedWhereverTheConnectionBreaks(House house) throws Exception {
        house.publish(echo("streamed"));
        List<RunId> runs = new ArrayList<>();
        List<JsonObject> got = new ArrayList<>();
        String filter = "?workflowId=streamed";
        EventClient client = EventClient.connect(house.port(), filter).started();
        CompletableFuture<List<RunId>> starting = CompletableFuture.supplyAsync(() -> {
            List<RunId> all = new ArrayList<>();
            try {
                for (int i = 0; i < 30; i++) {
                    all.add(house.start("streamed", "{\"trigger\": {\"i\": " + i + "}}"));
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return all;
        });

        // Killed after a few events, a different number each time, so also in the midst of a commit's.
        for (int part = 1; part <= 12; part++) {
            client.until(part);
            got.addAll(client.events());
            String last = client.lastId().orElseThrow();
            client.close();
            client = EventClient.connect(house.port(), filter, "Last-Event-ID", last);
        }
        runs.addAll(starting.get());
        for (RunId run : runs) {
            house.await(run);
        }
        Map<String, List<JsonObject>> expected = journal(house, runs);
        int total = expected.values().stream().mapToInt(List::size).sum();
        client.until(total - got.size());
        got.addAll(client.events());
        client.close();

        Map<String, List<JsonObject>> byRun = new HashMap<>();
        got.forEach(event -> byRun.computeIfAbsent(text(event, "run_id"), _ -> new ArrayList<>())
                .add(event));
        assertEquals(total, got.size());
        assertEquals(expected, byRun);
    }

    @Test
    void anEventsIdIsThePlaceRightBehindIt(House house) throws Exception {
        house.publish(echo("places"));
        RunId run = house.await(house.start("places", "{}")).key().run();
        int total = journal(house, run).size();
        String filter = "?from=begin&executionId=" + run;
        List<JsonObject> whole;
        List<String> ids;
        try (EventClient client = EventClient.connect(house.port(), filter)) {
            client.until(total);
            whole = List.copyOf(client.events());
            ids = List.copyOf(client.ids());
        }

        assertEquals(total, new HashSet<>(ids).size());
        for (int i = 0; i < total - 1; i++) {
            try (EventClient again = EventClient.connect(house.port(), filter, "Last-Event-ID", ids.get(i))) {
                again.until(1);
                assertEquals(number(whole.get(i + 1)), number(again.events().getFirst()));
            }
        }
    }

    @Test
    void onlyWhatTheFilterAdmitsIsTold(House house) throws Exception {
        house.publish(echo("filtered"));
        house.publish(echo("filtered-other"));
        try (EventClient client = EventClient.connect(house.port(), "?workflowId=filtered&type=RunStarted,RunCompleted")
                .started()) {
            house.run("filtered-other", "{}");
            house.run("filtered", "{}");
            client.until(2);

            List<String> told = client.events().stream()
                    .map(event -> text(event, "workflow_type") + " " + text(event, "kind"))
                    .toList();
            assertEquals(List.of("filtered RunStarted", "filtered RunCompleted"), told);
        }
    }

    @Test
    void aTenantHearsNothingOfAnother(House house) throws Exception {
        house.publish(echo("isolated"));
        try (EventClient other = EventClient.connect(house.port(), "", "Flowstone-Tenant", "stranger")
                .started()) {
            RunId run = house.await(house.start("isolated", "{}")).key().run();
            house.post("/workflows", echo("strange"), "Flowstone-Tenant", "stranger");
            house.post("/workflows/strange/publish", "", "Flowstone-Tenant", "stranger");
            house.post("/workflows/strange/execute", "{}", "Flowstone-Tenant", "stranger")
                    .expect(202);
            other.until(3);

            Set<String> tenants = new HashSet<>();
            other.events().forEach(event -> tenants.add(text(event, "tenant_id")));
            assertEquals(Set.of("stranger"), tenants);
            assertTrue(other.events().stream()
                    .noneMatch(event -> text(event, "run_id").equals(run.toString())));
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefused(House house) throws Exception {
        for (String query : List.of(
                "?from=yesterday",
                "?type=a-b",
                "?type=TaskCompleted,Nonsense",
                "?executionId=1",
                "?type=",
                "?since=1",
                "?workflowId=")) {
            assertEquals(
                    "INVALID_REQUEST", house.get("/events" + query).expect(400).text("code"), query);
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + house.port() + "/api/v1/events"));
        int status = HttpClient.newHttpClient()
                .send(request.header("Last-Event-ID", "MQ").build(), BodyHandlers.discarding())
                .statusCode();
        assertEquals(400, status);
    }

    @Test
    void atAShutdownReadersAreSentAwayWithTheirPlace(@TempDir Path data) throws Exception {
        EventClient client;
        String last;
        try (House house = House.open(data, Map.of(), BuiltInActions.registry())) {
            house.publish(echo("closing"));
            client = EventClient.connect(house.port(), "?workflowId=closing").started();
            house.run("closing", "{}");
            client.until(3);
        }
        client.drain();
        last = client.lastId().orElseThrow();
        int before = client.events().size();

        try (House house = House.open(data, Map.of(), BuiltInActions.registry())) {
            RunId run = house.start("closing", "{}");
            house.await(run);
            List<JsonObject> all = journal(house, run);
            try (EventClient again = EventClient.connect(house.port(), "?workflowId=closing", "Last-Event-ID", last)) {
                // What the first connection had no time for, and the second run.
                int second = all.size();
                again.until(second + second - before);
                assertEquals(
                        all,
                        again.events().stream()
                                .filter(event -> text(event, "run_id").equals(run.toString()))
                                .toList());
            }
        }
    }

    /** Who comes back too late is told so, instead of missing events unawares; who begins anew gets what there is. */
    @Test
    void whoComesBackAfterTheFeedWasSweptIsTold(@TempDir Path data) throws Exception {
        Map<String, String> hasty = Map.of("sweep.every", "1s", "sweep.feed", "1s");
        try (House house = House.open(data, hasty, BuiltInActions.registry())) {
            house.publish(echo("swept"));
            String first;
            try (EventClient client = EventClient.connect(house.port(), "").started()) {
                house.run("swept", "{}");
                client.until(3);
                first = client.lastId().orElseThrow();
            }
            house.run("swept", "{}");

            awaitGone(house, first);
            HttpRequest late = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + house.port() + "/api/v1/events"))
                    .header("Last-Event-ID", first)
                    .build();
            String answer = HttpClient.newHttpClient()
                    .send(late, BodyHandlers.ofString())
                    .body();
            assertTrue(answer.contains("EVENTS_GONE"), answer);
            assertTrue(house.metrics()
                    .expect(200)
                    .text()
                    .lines()
                    .anyMatch(line -> line.matches("flowstone_swept_rows_total\\{kind=\"feed\"} [1-9][0-9.]*")));
            try (EventClient again =
                    EventClient.connect(house.port(), "?from=begin").started()) {
                house.run("swept", "{}");
                again.until(3);
            }
        }
    }

    private static void awaitGone(House house, String last) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < end) {
            try (EventClient client = EventClient.connect(house.port(), "", "Last-Event-ID", last)) {
                client.started();
            } catch (IOException e) {
                if (String.valueOf(e.getMessage()).contains("410")) {
                    return;
                }
                throw e;
            }
        }
        throw new AssertionError("the feed was not swept");
    }
}
