package dev.flowstone.server.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.api.TokenIssuer;
import dev.flowstone.server.cli.Cli.Running;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.effect.Receiver;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets of every kind, recognisable, in a server that tells all that it can, while what they are for succeeds, fails, is tried again,
 * times out and is given up, and the other side repeats what it was sent in every form: nothing that is written, answered, counted,
 * traced or sent to others holds any of them (cases.md 33).
 */
final class CanaryTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final String LISTS = "?include=actions,children,resources,events,context&limit=200";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Canary token = canary("http.token", "tkn");
    private final Canary password = canary("database.password", "pa\"ss");
    private final byte[] key = (random("key") + random("")).substring(0, 48).getBytes(UTF_8);
    private final Canary signing =
            new Canary("webhook.shop.secret", Base64.getEncoder().encodeToString(key));
    private final Canary plainKey = new Canary("webhook.shop.secret, decoded", new String(key, UTF_8));
    private final Canary previous = new Canary(
            "webhook.shop.previousSecret",
            Base64.getEncoder().encodeToString(random("old").getBytes(UTF_8)));
    private final Canary path = canary("the path of webhook.shop.url", "p");
    private final Canary query = canary("the query of webhook.shop.url", "q");

    /** Of a trigger, whose sender signs with it. */
    private final Canary incoming = new Canary(
            "a trigger's secret",
            Base64.getEncoder().encodeToString(random("trg").getBytes(UTF_8)));

    private final Canary named = canary("secret.crm.value", "Sec/+=Q");

    /** What runs send in secret: it stands in their own history, and nowhere else (docs/http.md). */
    private final Canary header = canary("a header of core.http", "Hdr/+=Q");

    private final Canary parameter = canary("a query of core.http", "Par/+=Q");
    private final Canary userInfo = canary("a password in a URL of core.http", "usr");

    private final Map<String, String> seen = new LinkedHashMap<>();
    private final Map<String, String> history = new LinkedHashMap<>();

    @TempDir
    private Path folder = Path.of("");

    private static String random(String kind) {
        byte[] bytes = new byte[20];
        RANDOM.nextBytes(bytes);
        return kind + HexFormat.of().formatHex(bytes);
    }

    private static Canary canary(String name, String kind) {
        return new Canary(name, random(kind));
    }

    /** Repeats headers and query in every form that comes to mind. */
    private String echo(Receiver.Received one) {
        StringBuilder said = new StringBuilder("you sent ").append(one.path());
        for (String header : List.of("Authorization", "X-Api-Key", "Cookie", "webhook-signature")) {
            String value = one.header(header);
            byte[] bytes = value.getBytes(UTF_8);
            said.append('\n').append(value);
            said.append('\n').append(URLEncoder.encode(value, UTF_8));
            said.append('\n').append(Base64.getEncoder().encodeToString(bytes));
            said.append('\n').append(Base64.getUrlEncoder().encodeToString(("x" + value).getBytes(UTF_8)));
            said.append('\n').append(HexFormat.of().formatHex(bytes));
            said.append('\n').append(Canary.lowerPercent(value));
            said.append('\n').append(Canary.unicode(value));
            said.append('\n').append(value.replace("\"", "\\\"").replace("/", "\\/"));
        }
        // An endpoint knows its own secrets.
        String known = one.path().startsWith("/dead") ? query.value() + "\n" + signing.value() : "";
        // What the query of a call said is known to whom it was sent.
        String asked = one.header("X-Api-Key").isEmpty() ? "" : parameter.value();
        return said + "\n" + known + "\n" + asked;
    }

    private Receiver peer() throws Exception {
        Receiver peer = new Receiver();
        peer.answering(one -> {
            if (one.path().startsWith("/fine") || one.path().startsWith("/events")) {
                return 204;
            }
            if (one.path().startsWith("/repeats")) {
                return 200;
            }
            if (one.path().startsWith("/slow")) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            }
            return one.path().startsWith("/refuses") ? 401 : 503;
        });
        peer.saying(one -> one.path().startsWith("/fine") || one.path().startsWith("/events") ? "" : echo(one));
        return peer;
    }

    private Map<String, String> environment(PostgresConfig config, Receiver peer, Receiver spans, TokenIssuer issuer) {
        Map<String, String> environment = new LinkedHashMap<>();
        issuer.settings().forEach((name, value) -> environment.put(variable(name), value));
        environment.putAll(Map.of(
                "FLOWSTONE_LOG", "ALL",
                "FLOWSTONE_LOG_FORMAT", "json",
                "FLOWSTONE_HTTP_TOKEN", token.value(),
                "FLOWSTONE_DATABASE_URL", config.url(),
                "FLOWSTONE_DATABASE_USER", config.admin().user(),
                "FLOWSTONE_DATABASE_PASSWORD", password.value(),
                "FLOWSTONE_OUTBOUND_ALLOWED_NETWORKS", "127.0.0.0/8"));
        environment.putAll(Map.of(
                "FLOWSTONE_WEBHOOK_SHOP_URL", at(peer, "/dead/") + path.value() + "?token=" + query.value(),
                "FLOWSTONE_WEBHOOK_SHOP_SECRET", "whsec_" + signing.value(),
                "FLOWSTONE_WEBHOOK_SHOP_PREVIOUS_SECRET", "whsec_" + previous.value(),
                "FLOWSTONE_WEBHOOK_CRM_URL", at(peer, "/events/") + path.value(),
                "FLOWSTONE_WEBHOOK_CRM_SECRET", "whsec_" + signing.value(),
                "FLOWSTONE_SECRET_CRM_VALUE", named.value(),
                "FLOWSTONE_SECRET_CRM_ORIGINS", at(peer, "/").replaceFirst("/$", ""),
                "FLOWSTONE_OUTBOX_ATTEMPTS", "2",
                "FLOWSTONE_TRACE_ENDPOINT", at(spans, "/v1/traces")));
        return environment;
    }

    private static String at(Receiver receiver, String path) {
        return URI.create(receiver.url()).resolve(path).toString();
    }

    private static String variable(String setting) {
        return "FLOWSTONE_"
                + setting.replaceAll("([a-z])([A-Z])", "$1_$2")
                        .replace('.', '_')
                        .toUpperCase(Locale.ROOT);
    }

    private static Running start(Map<String, String> environment, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return Running.start(builder);
    }

    /** A database whose administrator's password is the one that is looked for. */
    private PostgresConfig database(EmbeddedPostgres postgres) throws Exception {
        PostgresConfig config = postgres.config();
        try (Connection admin = DriverManager.getConnection(
                        config.url(), config.admin().user(), config.admin().password());
                Statement statement = admin.createStatement()) {
            statement.execute("ALTER ROLE \"" + config.admin().user() + "\" PASSWORD '" + password.value() + "'");
        }
        return config;
    }

    @Test
    void noSecretIsSeenAnywhere() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                TokenIssuer issuer = new TokenIssuer();
                Receiver spans = new Receiver();
                Receiver peer = peer()) {
            Map<String, String> environment = environment(database(postgres), peer, spans, issuer);
            String signed = issuer.signed(TokenIssuer.HEADER, TokenIssuer.claims("ann", "acme", "workflows:read", ""));
            Canary jwt = new Canary("a token", signed.substring(signed.indexOf('.') + 1));
            try (Running server = start(environment, "serve", "--port", "0")) {
                String address = server.lineWith("ready").replaceFirst(".*(http://[^ ]+)/api/v1.*", "$1");
                Api api = new Api(address, token.value());
                calls(api, signed);
                List<String> runs = runs(api, at(peer, "/"));
                deliveries(api);
                ask(api, runs);
                shell(environment, address, runs);
                server.terminate();
                Said said = server.end();
                assertEquals(0, said.exit(), said::toString);
                assertTrue(said.err().contains("\"kind\":\"RunFailed\""), "it tells of runs");
                seen.put("standard error", said.err());
                seen.put("standard output", said.out());
            }
            seen.put("spans", bodies(spans));
            assertTrue(seen("spans").contains("attempt core.http"), "spans were sent");
            refusedAtTheStart(environment);
            List<String> payloads = new ArrayList<>();
            peer.all().forEach(one -> payloads.add(new String(one.body(), UTF_8)));
            history.put("what subscribers and webhooks are sent", String.join("\n", payloads));
            assertTrue(history.values().stream().anyMatch(text -> text.contains("RunFailed")), "events were sent");

            List<Canary> settings =
                    List.of(token, password, signing, plainKey, previous, incoming, path, query, named, jwt);
            nothingIsSeen(settings, seen);
            nothingIsSeen(settings, history);
            nothingIsSeen(List.of(header, parameter, userInfo), seen);
        }
    }

    private String seen(String place) {
        return seen.getOrDefault(place, "");
    }

    private static String bodies(Receiver receiver) {
        StringBuilder all = new StringBuilder();
        receiver.all().forEach(one -> all.append(new String(one.body(), ISO_8859_1)));
        return all.toString();
    }

    private static void nothingIsSeen(List<Canary> canaries, Map<String, String> places) {
        List<String> found = new ArrayList<>();
        places.forEach((place, text) -> canaries.forEach(canary -> found.addAll(canary.in(place, text))));
        assertEquals(List.of(), found);
    }

    /** Those that are refused, and tokens where they don't belong. */
    private void calls(Api api, String jwt) throws Exception {
        String shown = "";
        for (String authorization : List.of(
                "Bearer " + token.value() + "x",
                "bearer" + token.value(),
                "Basic " + Base64.getEncoder().encodeToString((token.value() + ":" + token.value()).getBytes(UTF_8)),
                "Bearer " + jwt + "x",
                "Bearer " + jwt.replaceFirst("\\.", ".x"),
                token.value())) {
            HttpResponse<String> refused = api.call("GET", "/api/v1/workflows", "", authorization);
            assertEquals(401, refused.statusCode(), refused::body);
            shown += refused.headers() + refused.body();
        }
        HttpResponse<String> let = api.call("GET", "/api/v1/workflows", "", "Bearer " + jwt);
        assertEquals(200, let.statusCode(), let::body);
        HttpResponse<String> forbidden = api.call("POST", "/api/v1/workflows", "{}", "Bearer " + jwt);
        assertEquals(403, forbidden.statusCode(), forbidden::body);
        HttpResponse<String> misplaced =
                api.call("GET", "/api/v1/workflows?access_token=" + token.value(), "", "Bearer " + token.value());
        assertEquals(400, misplaced.statusCode(), misplaced::body);
        seen.put("answers to calls", shown + let.body() + forbidden.body() + misplaced.body());
    }

    private static String http(String id, String url, String more) {
        return """
                {"id": "%s", "displayName": "T", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.http",
                   "parameters": {"url": "%s", "query": {"api_key": "{{ trigger.parameter }}"},
                     "headers": {"Authorization": "Bearer {{ trigger.header }}", "X-Api-Key": "{{ trigger.header }}",
                                 "Cookie": "session={{ trigger.header }}"}%s},
                   "policies": {"retry": {"maxAttempts": 2, "baseDelayMs": 1, "jitter": false}}}]}""".formatted(id, url, more);
    }

    /** With a secret that is named. */
    private static String named(String id, String url) {
        return """
                {"id": "%s", "displayName": "T", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.http",
                   "parameters": {"url": "%s", "headers": {"Authorization": {"$secret": "crm", "prefix": "Bearer "}}},
                   "policies": {"retry": {"maxAttempts": 1}}}]}""".formatted(id, url);
    }

    /** Executions that end in every way. */
    private List<String> runs(Api api, String peer) throws Exception {
        api.ok("PUT", "/api/v1/subscriptions/crm", "{\"sink\": {\"webhook\": \"crm\"}, \"from\": \"beginning\"}");
        api.ok("PUT", "/api/v1/subscriptions/never", "{\"sink\": {\"webhook\": \"shop\"}, \"from\": \"beginning\"}");
        Map<String, String> definitions = new LinkedHashMap<>();
        definitions.put("fine", http("fine", peer + "fine", ""));
        definitions.put("refused", http("refused", peer + "refuses", ""));
        definitions.put("again", http("again", peer + "again", ""));
        definitions.put("slow", http("slow", peer + "slow", ", \"timeout\": \"PT0.2S\""));
        definitions.put("nobody", http("nobody", "http://127.0.0.1:1/{{ trigger.parameter }}", ""));
        definitions.put("denied", http("denied", "http://10.0.0.1/{{ trigger.parameter }}", ""));
        definitions.put("login", http("login", "http://ann:{{ trigger.userInfo }}@127.0.0.1:1/", ""));
        definitions.put("broken", http("broken", "http://[{{ trigger.parameter }}", ""));
        definitions.put("bad-header", http("bad-header", peer + "fine", "").replace("session={{", "session=\\n{{"));
        definitions.put("repeats", named("repeats", peer + "repeats"));
        definitions.put("named", named("named", peer + "refuses"));
        definitions.put("told", """
                {"id": "told", "displayName": "T", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.webhook",
                   "parameters": {"endpoint": "shop", "type": "com.example.paid", "data": {"n": 1}}}]}""");
        String trigger = "{\"trigger\": {\"header\": \"" + header.value() + "\", \"parameter\": \"" + parameter.value()
                + "\", \"userInfo\": \"" + userInfo.value() + "\"}}";
        List<String> runs = new ArrayList<>();
        for (Map.Entry<String, String> definition : definitions.entrySet()) {
            api.ok("POST", "/api/v1/workflows", definition.getValue());
            api.ok("POST", "/api/v1/workflows/" + definition.getKey() + "/publish", "");
            String started = api.ok("POST", "/api/v1/workflows/" + definition.getKey() + "/execute", trigger);
            Matcher id = RemoteServer.RUN.matcher(started);
            assertTrue(id.find());
            runs.add(id.group());
        }
        for (String run : runs) {
            api.until("/api/v1/executions/" + run, text -> !text.contains("\"status\":\"Running\""));
        }
        api.until("/api/v1/outbox?state=dead", text -> text.contains("webhook:shop"));
        api.until("/api/v1/subscriptions/never", text -> text.contains("lastError"));
        api.until(
                "/metrics",
                text -> text.contains("sink=\"webhook\"")
                        && !text.contains("outcome=\"delivered\",sink=\"webhook\"} 0.0"));
        return runs;
    }

    /** A trigger is made, changed and asked for, wrongly, too, and deliveries come that are good and bad. */
    private void deliveries(Api api) throws Exception {
        String secret = "whsec_" + incoming.value();
        String config = "{\"workflowId\": \"fine\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\"";
        String made = api.ok("POST", "/api/v1/triggers", config + secret + "\"]}}");
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(made);
        assertTrue(id.find(), made);
        String one = "/api/v1/triggers/" + id.group(1);
        String operator = "Bearer " + token.value();
        StringBuilder told = new StringBuilder(made);
        told.append(api.ok("PUT", one, "{\"config\": {\"secrets\": [\"$set\", \"" + secret + "\"]}}"));
        told.append(api.call("POST", "/api/v1/triggers", config + secret + "!\"]}}", operator)
                .body());
        told.append(api.call("PUT", one, "{\"konfig\": \"" + secret + "\"}", operator)
                .body());
        for (String body : List.of("{}", "no json", "{\"a\": 1}")) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api.address() + one))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body.replace("1", "2")));
            WebhookSignature.sign(
                            "d-" + body.length(),
                            Instant.now(),
                            body.getBytes(UTF_8),
                            List.of(WebhookSecret.parse(secret)))
                    .forEach(header -> request.header(header.name(), header.value()));
            try (HttpClient client = HttpClient.newHttpClient()) {
                HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
                told.append(answer.statusCode()).append(answer.headers()).append(answer.body());
            }
        }
        api.until(one + "/deliveries", text -> text.split("\"deliveryId\"", -1).length == 4);
        for (String path : List.of(one, one + "/deliveries", "/api/v1/triggers")) {
            told.append(api.ok("GET", path, ""));
        }
        assertTrue(
                told.toString().contains("SIGNATURE_REFUSED") && told.toString().contains("MALFORMED_JSON"));
        seen.put("answers about a trigger", told.toString());
    }

    /** All that can be asked for. */
    private void ask(Api api, List<String> runs) throws Exception {
        for (String path : List.of(
                "/metrics",
                "/health",
                "/health/ready",
                "/api/v1/cluster",
                "/api/v1/system/skew",
                "/api/v1/stuck",
                "/api/v1/workflows",
                "/api/v1/subscriptions",
                "/api/v1/subscriptions/crm",
                "/api/v1/subscriptions/never",
                "/api/v1/dead-letters")) {
            seen.put(path, api.ok("GET", path, ""));
        }
        String outbox = api.ok("GET", "/api/v1/outbox?state=dead", "");
        Matcher message = Pattern.compile("\"message\":\"([^\"]+)\"").matcher(outbox);
        assertTrue(message.find(), outbox);
        seen.put("/api/v1/outbox", outbox + api.ok("GET", "/api/v1/outbox/" + message.group(1), ""));
        for (String run : runs) {
            String execution = api.ok("GET", "/api/v1/executions/" + run, "");
            history.put("/api/v1/executions/" + run, execution);
            // Beside what it was given, it holds how it failed.
            seen.put("errors of " + run, errors(execution));
            history.put("/timeline of " + run, api.ok("GET", "/api/v1/executions/" + run + "/timeline", ""));
            history.put("/lists of " + run, api.ok("GET", "/api/v1/executions/" + run + LISTS, ""));
            for (String view : List.of("graph?format=json", "graph?format=svg", "stream", "hierarchy", "variables")) {
                history.put("/" + view + " of " + run, api.ok("GET", "/api/v1/executions/" + run + "/" + view, ""));
            }
        }
        history.put("/api/v1/executions", api.ok("GET", "/api/v1/executions", ""));
        history.put("/api/v1/events", api.stream("/api/v1/events?from=begin", "RunFailed"));
    }

    private static String errors(String execution) {
        StringBuilder errors = new StringBuilder();
        Matcher error = Pattern.compile("\"error\":\\{.*?}}?").matcher(execution);
        while (error.find()) {
            errors.append(error.group()).append('\n');
        }
        return errors.toString();
    }

    /** The command line's words. */
    private void shell(Map<String, String> environment, String address, List<String> runs) throws Exception {
        Map<String, String> mine = new LinkedHashMap<>(environment);
        mine.put("FLOWSTONE_TOKEN", token.value());
        mine.put("FLOWSTONE_SERVER", address);
        for (String words : List.of("outbox list", "subscriptions show never", "health", "cluster --json")) {
            Said said = start(mine, words.split(" ")).end();
            assertFalse(said.out().isEmpty(), said::toString);
            seen.put("flowstone " + words, said.out() + said.err());
        }
        mine.put("FLOWSTONE_TOKEN", token.value() + "x");
        Said refused = start(mine, "outbox", "list").end();
        assertNotEquals(0, refused.exit());
        seen.put("flowstone with a wrong token", refused.out() + refused.err());
        // To which a secret was given by its name, and which heard it again.
        Said shown =
                start(environment, "show", runs.get(runs.size() - 3), "--json").end();
        history.put("flowstone show", shown.out() + shown.err());
    }

    /** Settings that are no good. */
    private void refusedAtTheStart(Map<String, String> environment) throws Exception {
        Map<String, String> bad = Map.of(
                "FLOWSTONE_WEBHOOK_SHOP_SECRET", "whsec_!" + signing.value(),
                "FLOWSTONE_HTTP_TOKEN", token.value() + " " + token.value(),
                "FLOWSTONE_WEBHOOK_SHOP_URL", "ftp://ann:" + password.value() + "@example.com/" + path.value(),
                "FLOWSTONE_DATABASE_PASSWORD", token.value());
        for (Map.Entry<String, String> setting : bad.entrySet()) {
            Map<String, String> with = new LinkedHashMap<>(environment);
            with.put(setting.getKey(), setting.getValue());
            Said said = start(with, "serve", "--port", "0").end();
            assertNotEquals(0, said.exit(), said::toString);
            seen.put("a bad " + setting.getKey(), said.out() + said.err());
        }
    }

    /** Calls a server. */
    private record Api(String address, String token) {
        HttpResponse<String> call(String method, String path, String body, String authorization) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                    .header("Authorization", authorization)
                    .timeout(Duration.ofSeconds(60));
            if (!body.isEmpty()) {
                request.header("Content-Type", "application/json");
            }
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(request.build(), BodyHandlers.ofString());
            }
        }

        String ok(String method, String path, String body) throws Exception {
            HttpResponse<String> answer = call(method, path, body, "Bearer " + token);
            assertTrue(answer.statusCode() < 300, () -> method + " " + path + ": " + answer.body());
            return answer.body();
        }

        void until(String path, Predicate<String> good) throws Exception {
            long end = System.nanoTime() + PATIENCE_NANOS;
            String text = ok("GET", path, "");
            while (!good.test(text)) {
                String said = text;
                assertTrue(System.nanoTime() < end, () -> path + ": " + said);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                text = ok("GET", path, "");
            }
        }

        /** What a stream has told when these words came. */
        String stream(String path, String words) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                    .header("Authorization", "Bearer " + token)
                    .build();
            LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
            try (HttpClient client = HttpClient.newHttpClient()) {
                HttpResponse<Stream<String>> answer = client.send(request, BodyHandlers.ofLines());
                Thread reader = Thread.ofVirtual().start(() -> answer.body().forEach(lines::add));
                StringBuilder told = new StringBuilder();
                while (!told.toString().contains(words)) {
                    String line = lines.poll(30, TimeUnit.SECONDS);
                    assertTrue(line != null, told::toString);
                    told.append(line).append('\n');
                }
                client.shutdownNow();
                reader.join();
                return told.toString();
            }
        }
    }
}
