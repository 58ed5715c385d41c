package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the commands that speak to a server are called, and how they refuse. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteVerbTest {
    private final RemoteServer server;

    RemoteVerbTest(RemoteServer server) {
        this.server = server;
    }

    @Test
    void errorsTeach() {
        String run = "01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d";
        server.refused(2, "'17' is no run id", server.call("runs", "resume", "17", "--reason", "x"));
        server.refused(
                2, "is no task: a task is named by its node and visit", server.call("tasks", "claim", run, "ask"));
        server.refused(2, "Missing required option: '--reason=TEXT'", server.call("runs", "suspend", run));
        server.refused(2, "Missing required parameters: 'RUN', 'TASK'", server.call("tasks", "show"));
        server.refused(2, "Missing required parameter: 'KEY'", server.call("signal", "send", "paid"));
        server.refused(2, "Unmatched argument", server.call("runs", "resume", run, "more", "--reason", "x"));
        server.refused(2, "--lease takes seconds", server.call("tasks", "claim", run, "ask#1", "--lease", "soon"));
        server.refused(2, "--payload:1:", server.call("signal", "send", "paid", "k", "--payload", "{"));
        server.refused(1, "(EXECUTION_NOT_FOUND)", server.call("runs", "resume", run, "--reason", "x"));
        server.refused(2, "freeze, catch_up", server.call("runs", "suspend", run, "--reason", "x", "--timers", "stop"));
        server.refused(
                3, "nobody answers at http://127.0.0.1:1", Cli.here("tasks", "list", "--server", "http://127.0.0.1:1"));
        server.refused(2, "--server takes an address", Cli.here("tasks", "list", "--server", "nonsense"));
        Said json = server.call("runs", "resume", run, "--reason", "x", "--json");
        assertTrue(json.out().contains("\"code\":\"EXECUTION_NOT_FOUND\""), json::toString);
    }

    @Test
    void everyVerbIsARouteAndExplainsItself() throws Exception {
        String routes;
        try (HttpClient client = HttpClient.newHttpClient()) {
            routes = client.send(
                            HttpRequest.newBuilder(URI.create(server.address() + "/api/v1"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
        List<Group> groups = List.of(
                new TasksCommand(),
                new SignalCommand(),
                new StuckCommand(),
                new WorkflowsCommand(),
                new OutboxCommand(),
                new SubscriptionsCommand(),
                new TriggersCommand(),
                new ActionsCommand(),
                new ConnectorsCommand(),
                new TemplatesCommand(),
                new DeadLettersCommand(),
                new ExecutionsCommand(),
                new RunsCommand(new Terminal(
                        new java.io.PrintWriter(java.io.Writer.nullWriter()),
                        new java.io.PrintWriter(java.io.Writer.nullWriter()),
                        false)));
        List<String> names = List.of(
                "tasks",
                "signal",
                "stuck",
                "workflows",
                "outbox",
                "subscriptions",
                "triggers",
                "actions",
                "connectors",
                "templates",
                "dead-letters",
                "executions",
                "runs");
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
}
