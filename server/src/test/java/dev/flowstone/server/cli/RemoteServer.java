package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.e2e.PreparedData;
import dev.flowstone.testkit.junit.TempDirsInMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A server that {@code serve} started, with a few workflows, and a command line that speaks to it. */
final class RemoteServer implements AutoCloseable {
    static final Pattern RUN = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Path folder;
    private final Cli.Running server;
    private final String address;

    /**
     * Nobody listens at the endpoint, and one attempt is all: its messages are dead letters.
     *
     * @param more settings, name=value
     */
    RemoteServer(String... more) throws Exception {
        this(settings(more));
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
        publish("telling", """
                "tell": {"task": {"action": "core.webhook", "input": {"endpoint": "shop", "type": "paid"}, "sideEffects": false},
                         "next": "done"},
                "done": {"end": {}}""", "tell");
        publish("stopping", """
                "work": {"task": {"action": "core.fail", "input": {"code": "NO", "message": "it can't"},
                         "sideEffects": false}, "next": "done"},
                "done": {"end": {}}""", "work");
    }

    private static List<String> settings(String... more) {
        List<String> options = new ArrayList<>(List.of(
                "--set",
                "webhook.shop.url=http://127.0.0.1:1/hook",
                "--set",
                "webhook.shop.secret=whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
                "--set",
                "outbox.attempts=1"));
        for (String setting : more) {
            options.addAll(List.of("--set", setting));
        }
        return options;
    }

    /** With these options, and without a workflow; on a database of its own unless they name another. */
    private RemoteServer(List<String> options) throws Exception {
        folder = TempDirsInMemory.directory("flowstone-cli");
        List<String> command = new ArrayList<>(List.of("serve", "--port", "0"));
        command.addAll(options);
        if (!command.contains("--db")) {
            Path data = folder.resolve("data");
            if (options.stream().noneMatch(option -> option.startsWith("database."))) {
                PreparedData.in(data);
            }
            command.addAll(List.of("--data", data.toString()));
        }
        server = Cli.Running.start(command.toArray(String[]::new));
        String line = server.lineWith("ready");
        address = line.replaceFirst(".*(http://[^ ]+)/api/v1.*", "$1");
    }

    /** On somebody's database, without a workflow. */
    static RemoteServer on(List<String> options) throws Exception {
        return new RemoteServer(options);
    }

    /** One for all classes: a start costs seconds, and nothing that they do may harm another. */
    static final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RemoteServer.class;
        }

        @Override
        public RemoteServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(Namespace.create(RemoteServer.class))
                    .computeIfAbsent(RemoteServer.class, _ -> opened(), RemoteServer.class);
        }

        private static RemoteServer opened() {
            try {
                return new RemoteServer();
            } catch (Exception e) {
                throw new IllegalStateException("the server doesn't start", e);
            }
        }
    }

    String address() {
        return address;
    }

    /** Its database, past all policies; the caller closes it. */
    Connection superuser() throws Exception {
        PostgresConfig config = EmbeddedPostgres.running(EmbeddedConfig.in(folder.resolve("data")))
                .orElseThrow();
        return DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
    }

    void publish(String id, String states, String start) throws Exception {
        String definition = """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "%s", "start": "%s",
                 "onFailure": "park", "roles": {"legal": {}}, "variables": {"limit": {"type": "integer"}},
                 "states": {%s}}""".formatted(id, id, start, states);
        post("/workflows", definition);
        post("/workflows/" + id + "/publish", "");
    }

    String post(String path, String body) throws Exception {
        HttpRequest.Builder request = request(path).POST(BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        return answered(request);
    }

    String get(String path) throws Exception {
        return answered(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + "/api/v1" + path));
    }

    private static String answered(HttpRequest.Builder request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            assertTrue(answer.statusCode() < 300, answer::body);
            return answer.body();
        }
    }

    /** Starts a run and waits until a list of it has something. */
    String started(String workflow, String body, String group, String list, String words) throws Exception {
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

    Said call(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--server", address));
        return Cli.here(all.toArray(String[]::new));
    }

    Said done(String... words) {
        Said said = call(words);
        assertEquals(0, said.exit(), said::toString);
        return said;
    }

    Said until(Predicate<Said> good, String... words) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        Said said = done(words);
        while (!good.test(said)) {
            assertTrue(System.nanoTime() < end, said::toString);
            said = done(words);
        }
        return said;
    }

    void refused(int exit, String words, Said said) {
        assertEquals(exit, said.exit(), said::toString);
        assertTrue(said.err().contains(words), said::toString);
    }

    /** STOP, as a node that hangs; CONT, and it goes on. */
    void signal(String name) throws Exception {
        server.signal(name);
    }

    @Override
    public void close() {
        server.close();
        try (Stream<Path> below = Files.walk(folder)) {
            below.sorted(Comparator.reverseOrder()).forEach(path -> {
                boolean _ = path.toFile().delete();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
