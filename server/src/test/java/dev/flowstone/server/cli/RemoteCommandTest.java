package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that speak to a server, against one that {@code serve} started. */
final class RemoteCommandTest {
    private static final Pattern RUN = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** A workflow that waits in a state of some name. */
    private static final String MOVING = """
            "mark": {"task": {"action": "core.echo", "sideEffects": false}, "next": "%s"},
            "%s": {"timer": {"after": "P30D"}, "next": "done"},
            "done": {"end": {}}""";

    @TempDir
    private static Path folder;

    private static Cli.Running server;
    private static String address = "";

    @BeforeAll
    static void serve() throws Exception {
        server = Cli.Running.start(
                "serve", "--port", "0", "--data", folder.resolve("data").toString());
        String line = server.lineWith("ready");
        address = line.replaceFirst(".*(http://[^ ]+)/api/v1.*", "$1");
        publish("review", """
                "ask": {"human": {"assignees": [{"user": "anna"}, {"role": "legal"}]},
                        "transitions": [{"on": "approve", "to": "done"}, {"on": "reject", "to": "done"}]},
                "done": {"end": {}}""", "ask");
        publish("paying", """
                "paid": {"wait": {"signal": "paid", "key": "{{ trigger.order }}"}, "next": "done"},
                "done": {"end": {}}""", "paid");
        publish("waiting", """
                "mark": {"task": {"action": "core.echo", "compensation": {"action": "core.echo"}}, "next": "rest"},
                "rest": {"timer": {"after": "P30D"}, "next": "done"},
                "done": {"end": {}}""", "mark");
        publish("stopping", """
                "work": {"task": {"action": "core.fail", "input": {"code": "NO", "message": "it can't"},
                         "sideEffects": false}, "next": "done"},
                "done": {"end": {}}""", "work");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void publish(String id, String states, String start) throws Exception {
        String definition = """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "%s", "start": "%s",
                 "onFailure": "park", "roles": {"legal": {}}, "variables": {"limit": {"type": "integer"}},
                 "states": {%s}}""".formatted(id, id, start, states);
        post("/workflows", definition);
        post("/workflows/" + id + "/publish", "");
    }

    private static String post(String path, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + "/api/v1" + path)).POST(BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            assertTrue(answer.statusCode() < 300, answer::body);
            return answer.body();
        }
    }

    /** Starts a run and waits until a list of it has something. */
    private static String started(String workflow, String body, String group, String list, String words)
            throws Exception {
        Matcher id = RUN.matcher(post("/workflows/" + workflow + "/execute", body));
        assertTrue(id.find());
        String run = id.group();
        if (group.equals("tasks")) {
            until(said -> said.out().contains(run), group, list);
        } else {
            until(said -> said.out().contains(words), group, list, run);
        }
        return run;
    }

    private static Said call(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--server", address));
        return Cli.here(all.toArray(String[]::new));
    }

    private static Said done(String... words) {
        Said said = call(words);
        assertEquals(0, said.exit(), said::toString);
        return said;
    }

    private static Said until(Predicate<Said> good, String... words) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        Said said = done(words);
        while (!good.test(said)) {
            assertTrue(System.nanoTime() < end, said::toString);
            said = done(words);
        }
        return said;
    }

    private static void refused(int exit, String words, Said said) {
        assertEquals(exit, said.exit(), said::toString);
        assertTrue(said.err().contains(words), said::toString);
    }

    @Test
    void aTaskIsFoundClaimedGivenBackHandedOnAndDecided() throws Exception {
        String run = started("review", "{}", "tasks", "list", "ask#1");

        assertTrue(done("tasks", "list").out().startsWith("RUN "));
        assertTrue(done("tasks", "list", "--assignee", "role:legal").out().contains(run));
        assertTrue(done("tasks", "mine", "--as", "anna").out().contains(run));
        assertFalse(done("tasks", "mine", "--as", "zoe").out().contains(run));
        assertTrue(done("tasks", "mine", "--as", "zoe", "--roles", "sales,legal")
                .out()
                .contains(run));
        assertTrue(done("tasks", "show", run, "ask#1").out().contains("user:anna"));
        refused(1, "there is no 'ask#2'", call("tasks", "show", run, "ask#2"));

        assertTrue(done("tasks", "claim", run, "ask#1", "--as", "anna", "--lease", "10m")
                .out()
                .contains("TaskClaimed"));
        assertTrue(
                done("tasks", "heartbeat", run, "ask#1", "--as", "anna").out().startsWith("Done"));
        assertTrue(done("tasks", "list", "--claimed-by", "user:anna").out().contains(run));
        refused(1, "(CONFLICT)", call("tasks", "heartbeat", run, "ask#1", "--as", "zoe"));
        assertTrue(done("tasks", "release", run, "ask#1", "--as", "anna").out().contains("ClaimReleased"));
        assertTrue(done("tasks", "delegate", run, "ask#1", "--as", "anna", "--to", "user:bob", "--reason", "on leave")
                .out()
                .contains("TaskDelegated"));
        refused(1, "(NOT_ASSIGNED)", call("tasks", "decide", run, "ask#1", "--as", "anna", "--outcome", "approve"));
        assertTrue(done("tasks", "reassign", run, "ask#1", "--to", "user:carl,user:dora", "--reason", "too big")
                .out()
                .contains("TaskReassigned"));
        Said decided = done(
                "tasks",
                "decide",
                run,
                "ask#1",
                "--as",
                "dora",
                "--outcome",
                "approve",
                "--rationale",
                "fine",
                "--idempotency-key",
                "k1");
        assertTrue(decided.out().contains("ask#1 is settled: approve."), decided::toString);
        Said again = done(
                "tasks",
                "decide",
                run,
                "ask#1",
                "--as",
                "dora",
                "--outcome",
                "approve",
                "--rationale",
                "fine",
                "--idempotency-key",
                "k1");
        assertTrue(again.out().contains("done before"), again::toString);
    }

    @Test
    void anOperatorResolvesATask() throws Exception {
        String run = started("review", "{}", "tasks", "list", "ask#1");

        Said said = done("tasks", "resolve", run, "ask#1", "--outcome", "reject", "--reason", "withdrawn", "--json");

        assertTrue(said.out().contains("\"outcome\":\"reject\""), said::toString);
        assertTrue(said.out().startsWith("{"), said::toString);
    }

    @Test
    void signalsAreDeliveredKeptDroppedAndBroadcast() throws Exception {
        post("/workflows/paying/execute", "{\"trigger\": {\"order\": \"o-7\"}}");

        until(said -> said.out().equals("Delivered.\n"), "signal", "send", "paid", "o-7", "--keep", "0");
        assertEquals(
                "Kept until somebody waits for it.\n",
                done("signal", "send", "paid", "o-8", "--keep", "7d").out());
        assertEquals(
                "Nobody waits for it; it is dropped.\n",
                done("signal", "broadcast", "paid", "o-9", "--payload", "{\"amount\": 1}")
                        .out());
        assertTrue(done("signal", "send", "paid", "o-10", "--json").out().contains("\"fate\":\"kept\""));
    }

    @Test
    void aRunIsSuspendedResumedDrainedAndCanceled() throws Exception {
        String run = started("waiting", "{}", "runs", "timers", "rest");

        assertTrue(done("runs", "set", run, "--variables", "{\"limit\": 500}", "--reason", "agreed")
                .out()
                .contains("Done"));
        assertEquals("limit  500\n", done("runs", "variables", run).out());
        assertTrue(done("runs", "suspend", run, "--reason", "audit").out().contains("RunSuspended"));
        assertTrue(done("runs", "set", run, "--variables", "{\"limit\": 1}", "--reason", "no")
                .out()
                .startsWith("Recorded"));
        assertTrue(done("runs", "resume", run, "--reason", "over").out().contains("RunResumed"));
        assertTrue(done("runs", "rollback", run, "--to", "mark", "--reason", "wrong")
                .out()
                .contains("Roll"));
        until(said -> said.out().contains("rest"), "runs", "timers", run);
        assertTrue(done("runs", "drain", run, "--reason", "update", "--within", "10m")
                .out()
                .contains("RunDraining"));
        refused(2, "", call("runs", "suspend", run));
        assertTrue(done("runs", "cancel", run, "--reason", "withdrawn", "--no-undo")
                .out()
                .startsWith("Done"));
        refused(1, "", call("runs", "terminate", run, "--reason", "late"));
    }

    @Test
    void aResumeIsPreviewedWithoutResuming() throws Exception {
        String run = started("waiting", "{}", "runs", "timers", "rest");
        done("runs", "suspend", run, "--reason", "audit");
        done("runs", "set", run, "--variables", "{\"limit\": 7}", "--reason", "agreed");

        Said preview = done("runs", "resume", run, "--reason", "look", "--dry-run");

        assertTrue(preview.out().contains("inputs"), preview::toString);
        assertTrue(preview.out().contains("SetVariables"), preview::toString);
        assertEquals("", done("runs", "variables", run).out(), "nothing was decided");
        assertTrue(done("runs", "resume", run, "--reason", "over").out().contains("RunResumed"));
        until(said -> said.out().equals("limit  7\n"), "runs", "variables", run);
    }

    @Test
    void aRunIsMovedToAnotherVersionAfterALookAtWhatThatTakes() throws Exception {
        publish("moving", MOVING.formatted("rest", "rest"), "mark");
        String run = started("moving", "{}", "runs", "timers", "rest");
        post("/workflows/moving/draft", "");
        publish("moving", MOVING.formatted("pause", "pause"), "mark");

        Said blind = done("runs", "migrate", run, "--dry-run");
        assertTrue(blind.out().contains("rest#1"), blind::toString);
        assertTrue(Pattern.compile("(?m)^possible +false$").matcher(blind.out()).find(), blind::toString);
        refused(1, "(INVALID_STATE)", call("runs", "migrate", run));
        refused(1, "(VERSION_NOT_FOUND)", call("runs", "migrate", run, "--version", "9"));

        String names = "{\"rest\": \"pause\"}";
        Said look = done("runs", "migrate", run, "--version", "2", "--nodes", names, "--dry-run");
        assertTrue(Pattern.compile("(?m)^possible +true$").matcher(look.out()).find(), look::toString);
        assertTrue(done("runs", "timers", run).out().contains("rest"), "nothing was moved");
        assertTrue(done("runs", "migrate", run, "--version", "2", "--nodes", names)
                .out()
                .contains("Migrated"));
        assertTrue(done("runs", "timers", run).out().contains("pause"));
        assertEquals(
                "Nothing to do: it is so already.\n",
                done("runs", "migrate", run).out());
    }

    @Test
    void allRunsOfAWorkflowAreMovedBatchByBatch() throws Exception {
        publish("fleet", MOVING.formatted("rest", "rest"), "mark");
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(started("fleet", "{}", "runs", "timers", "rest"));
        }
        post("/workflows/fleet/draft", "");
        publish("fleet", MOVING.formatted("pause", "pause"), "mark");
        String names = "{\"rest\": \"pause\"}";

        Said blind = call("workflows", "migrate", "fleet", "--limit", "2", "--dry-run");
        assertEquals(1, blind.exit(), "who can't be moved counts");
        assertTrue(blind.out().contains("  " + runs.getLast() + "  v1  INVALID_STATE: rest#1 lives"), blind::toString);
        assertTrue(blind.out().endsWith("In all: 0 can be moved, 0 already there, 5 can't be moved.\n"), blind::out);
        Said look = done("workflows", "migrate", "fleet", "--nodes", names, "--dry-run");
        assertTrue(look.out().endsWith("In all: 5 can be moved, 0 already there, 0 can't be moved.\n"), look::out);
        assertTrue(done("runs", "timers", runs.getFirst()).out().contains("rest"), "nothing was moved");

        Said first = done("workflows", "migrate", "fleet", "--nodes", names, "--limit", "2", "--batches", "1");
        assertEquals(
                "Batch 1: 2 moved, 0 already there, 0 can't be moved; on with --after " + runs.get(3)
                        + "\nIn all: 2 moved, 0 already there, 0 can't be moved.\n",
                first.out());
        Said rest = done("workflows", "migrate", "fleet", "--nodes", names, "--limit", "2", "--after", runs.get(3));
        assertTrue(rest.out().contains("Batch 2: 1 moved"), rest::out);
        assertTrue(rest.out().endsWith("In all: 3 moved, 0 already there, 0 can't be moved.\n"), rest::out);
        Said again = done("workflows", "migrate", "fleet", "--nodes", names, "--json");
        assertTrue(again.out().contains("\"skipped\":5"), again::out);
        assertTrue(done("runs", "timers", runs.getFirst()).out().contains("pause"));
        refused(1, "(VERSION_NOT_FOUND)", call("workflows", "migrate", "fleet", "--version", "9"));
        refused(2, "--limit takes a number", call("workflows", "migrate", "fleet", "--limit", "all"));
    }

    @Test
    void aNewRunBeginsAtARecordedPointOfAnOldOne() throws Exception {
        String run = started("waiting", "{}", "runs", "timers", "rest");
        String last = done("runs", "suspend", run, "--reason", "look", "--json")
                .out()
                .replaceFirst("(?s).*\"lastSeq\":([0-9]+).*", "$1");
        String before = Long.toString(Long.parseLong(last) - 1);

        Said begun = done("runs", "reset", run, "--sequence", before, "--idempotency-key", "again");

        Matcher id = RUN.matcher(begun.out());
        assertTrue(id.find(), begun::toString);
        assertFalse(id.group().equals(run), begun::toString);
        assertTrue(begun.out().contains("resetFrom"), begun::toString);
        until(said -> said.out().contains("rest"), "runs", "timers", id.group());
        assertTrue(done("runs", "reset", run, "--sequence", before, "--idempotency-key", "again")
                .out()
                .contains(id.group()));
        refused(2, "Missing required option: '--sequence=N'", call("runs", "reset", run));
        refused(2, "--sequence takes a number", call("runs", "reset", run, "--sequence", "last"));
        refused(2, "(INVALID_COMMAND)", call("runs", "reset", run, "--sequence", "99999"));
    }

    @Test
    void aTimerIsFiredByHand() throws Exception {
        String run = started("waiting", "{}", "runs", "timers", "rest");
        String timer = done("runs", "timers", run, "--json").out().replaceFirst("(?s).*\"timer\":\"([^\"]+)\".*", "$1");
        assertTrue(
                Pattern.compile("(?m)T[0-9]{2}:[0-9]{2}:[0-9]{2}Z  ")
                        .matcher(done("runs", "timers", run).out())
                        .find(),
                "to the second");

        assertTrue(done("runs", "fire", run, timer).out().contains("TimerForced"));
        refused(1, "", call("runs", "fire", run, timer));
        assertEquals("", done("runs", "timers", run).out());
        assertEquals("No timers.\n", done("runs", "timers", run).err());
    }

    @Test
    void incidentsAreListedRetriedSkippedAndFailed() throws Exception {
        String run = started("stopping", "{}", "runs", "incidents", "work");
        String number =
                done("runs", "incidents", run, "--json").out().replaceFirst("(?s).*\"incident\":([0-9]+).*", "$1");

        assertTrue(done("runs", "incidents", run).out().startsWith("INCIDENT"));
        assertTrue(done("runs", "retry", run, number).out().startsWith("Done"));
        refused(1, "(NOT_FOUND)", call("runs", "skip", run, "999"));
        String next = until(
                        said -> said.out().contains("\"incident\":")
                                && !said.out().contains("\"incident\":" + number + ","),
                        "runs",
                        "incidents",
                        run,
                        "--json")
                .out()
                .replaceFirst("(?s).*\"incident\":([0-9]+).*", "$1");
        assertTrue(done("runs", "skip", run, next, "--output", "{\"by\": \"hand\"}")
                .out()
                .startsWith("Done"));

        String other = started("stopping", "{}", "runs", "incidents", "work");
        String its =
                done("runs", "incidents", other, "--json").out().replaceFirst("(?s).*\"incident\":([0-9]+).*", "$1");
        assertTrue(done("runs", "fail", other, its, "--code", "GIVEN_UP", "--message", "nobody answers")
                .out()
                .startsWith("Done"));
    }

    @Test
    void errorsTeach() {
        String run = "01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d";
        refused(2, "'17' is no run id", call("runs", "resume", "17", "--reason", "x"));
        refused(2, "is no task: a task is named by its node and visit", call("tasks", "claim", run, "ask"));
        refused(2, "Missing required option: '--reason=TEXT'", call("runs", "suspend", run));
        refused(2, "Missing required parameters: 'RUN', 'TASK'", call("tasks", "show"));
        refused(2, "Missing required parameter: 'KEY'", call("signal", "send", "paid"));
        refused(2, "Unmatched argument", call("runs", "resume", run, "more", "--reason", "x"));
        refused(2, "--lease takes seconds", call("tasks", "claim", run, "ask#1", "--lease", "soon"));
        refused(2, "--payload:1:", call("signal", "send", "paid", "k", "--payload", "{"));
        refused(1, "(EXECUTION_NOT_FOUND)", call("runs", "resume", run, "--reason", "x"));
        refused(2, "freeze, catch_up", call("runs", "suspend", run, "--reason", "x", "--timers", "stop"));
        refused(3, "nobody answers at http://127.0.0.1:1", Cli.here("tasks", "list", "--server", "http://127.0.0.1:1"));
        refused(2, "--server takes an address", Cli.here("tasks", "list", "--server", "nonsense"));
        Said json = call("runs", "resume", run, "--reason", "x", "--json");
        assertTrue(json.out().contains("\"code\":\"EXECUTION_NOT_FOUND\""), json::toString);
    }

    @Test
    void everyVerbIsARouteAndExplainsItself() throws Exception {
        String routes;
        try (HttpClient client = HttpClient.newHttpClient()) {
            routes = client.send(
                            HttpRequest.newBuilder(URI.create(address + "/api/v1"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
        List<Group> groups = List.of(
                new TasksCommand(),
                new SignalCommand(),
                new WorkflowsCommand(),
                new RunsCommand(new Terminal(
                        new java.io.PrintWriter(java.io.Writer.nullWriter()),
                        new java.io.PrintWriter(java.io.Writer.nullWriter()),
                        false)));
        List<String> names = List.of("tasks", "signal", "workflows", "runs");
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        for (int i = 0; i < groups.size(); i++) {
            for (Verb verb : groups.get(i).verbs()) {
                assertTrue(routes.contains("\"path\":\"/api/v1" + verb.path() + "\""), verb::path);
                Said help = Cli.here(names.get(i), verb.name(), "--help");
                assertEquals(0, help.exit(), help::toString);
                assertTrue(help.out().contains("flowstone " + verb.example().substring(0, 10)), help::toString);
                assertTrue(
                        verb.example()
                                .startsWith(names.get(i) + " " + verb.name()
                                        + (verb.arguments().isEmpty() ? "" : " ")),
                        verb::example);
                assertTrue(page.contains("`" + names.get(i) + " " + verb.name()), () -> names + " " + verb.name());
            }
        }
    }

    @Test
    void holdsAWorkflowAndLetsItGo() throws Exception {
        Said held = done("control", "suspend", "workflow", "--workflow", "paying", "--reason", "audit", "--as", "anna");
        assertTrue(held.out().contains("workflow/paying"), held::toString);

        Said list = done("control", "list");
        assertTrue(list.out().contains("user:anna") && list.out().contains("suspend"), list::toString);

        done("control", "resume", "workflow", "--workflow", "paying", "--reason", "done");
        assertTrue(done("control", "list").out().contains("clear"));
        assertEquals(2, call("control", "suspend", "planet", "--reason", "x").exit());
    }
}
