package dev.flowstone.server.kill;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everybody outside who has to do with the runs of {@link MixedPrograms}: starts them, decides as ann and bob, sends
 * signals, and as an operator holds them and lets them go, and mends what has failed. It knows only what it was answered, so it asks again under the same name until it is. What it does depends on
 * nothing but the round that a run is in.
 */
final class MixedDriver {
    private static final Set<Integer> BUSY = Set.of(503);

    /** What is held in turn: the run, its workflow, the tenant, the system. */
    private static final List<String> SCOPES = List.of(
            "",
            "\"scope\": \"workflow\", \"workflowId\": \"" + MixedPrograms.MIXED + "\", ",
            "\"scope\": \"tenant\", ",
            "\"scope\": \"system\", ");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> names;
    private final Map<String, String> runs = new TreeMap<>();
    private final Set<String> done = new HashSet<>();
    private final Map<String, List<String>> incidents = new HashMap<>();
    private final Map<String, String> statuses = new HashMap<>();

    MixedDriver(List<String> names) {
        this.names = List.copyOf(names);
    }

    /** Execution by name, of those that were acknowledged. */
    Map<String, String> runs() {
        return Map.copyOf(runs);
    }

    /** Whether all have ended, as far as was answered. */
    boolean allEnded() {
        return statuses.size() == names.size()
                && statuses.values().stream().noneMatch(status -> status.equals("Running") || status.equals("Pending"));
    }

    String told() {
        return new TreeMap<>(statuses) + " of " + runs + ", answered: " + done.size();
    }

    /** Asks once for everything that is to be done; ends early if the server doesn't answer. */
    void pass(String url) throws InterruptedException {
        try {
            for (String name : names) {
                start(url, name);
                decide(url, name);
                signal(url, name);
                operate(url, name);
                statuses.put(name, text(get(url + "/executions/" + runs.get(name)), "status"));
            }
        } catch (IOException e) {
            // It was killed, or isn't ready yet; whatever was asked is asked again.
        }
    }

    private void start(String url, String name) throws IOException, InterruptedException {
        if (!runs.containsKey(name)) {
            JsonObject answer = post(
                    url + "/workflows/" + MixedPrograms.MIXED + "/execute",
                    "{\"requestId\": \"" + name + "\", \"trigger\": {\"name\": \"" + name
                            + "\"}, \"subject\": {\"kind\": \"account\", \"id\": \"" + name + "\"}}");
            runs.put(name, text(answer, "executionId"));
        }
    }

    private void decide(String url, String name) throws IOException, InterruptedException {
        String run = url + "/executions/" + runs.get(name) + "/tasks";
        for (JsonValue item : ((JsonArray) get(run).find("items").orElseThrow()).items()) {
            JsonObject task = (JsonObject) item;
            String activation = text(task, "activation");
            int visit = ((JsonNumber) task.find("visit").orElseThrow())
                    .decimalValue()
                    .intValueExact();
            if (visit % 3 == 0) {
                // One rejection decides at once.
                decide(run, name, activation, visit, "ann", "rejected");
            } else {
                decide(run, name, activation, visit, "ann", "approved");
                decide(run, name, activation, visit, "bob", "approved");
            }
        }
    }

    /** On the subject as it is in that round: each round before has raised its version once. */
    private void decide(String tasks, String name, String activation, int visit, String person, String outcome)
            throws IOException, InterruptedException {
        String key = name + "-" + activation + "-" + person;
        if (!done.contains(key)) {
            JsonObject _ = post(
                    tasks + "/" + activation.replace("#", "%23") + "/decide",
                    "{\"outcome\": \"" + outcome + "\", \"subjectVersion\": " + (visit - 1) + "}",
                    "Flowstone-Principal",
                    "user:" + person,
                    "Idempotency-Key",
                    key);
            done.add(key);
        }
    }

    /** For every round there will be: those that come early wait for their await. */
    private void signal(String url, String name) throws IOException, InterruptedException {
        for (int round = 0; round < MixedPrograms.ROUNDS; round++) {
            String key = name + "-" + round;
            if (!done.contains(key)) {
                JsonObject _ = post(
                        url + "/signals",
                        "{\"type\": \"go\", \"key\": \"" + key + "\", \"dedupe\": \"" + key
                                + "\", \"payload\": {\"n\": " + (round + 1) + "}}");
                done.add(key);
            }
        }
    }

    /**
     * Mends what has failed, after something was held and let go: the run, its workflow or everybody of the tenant, at once
     * or when live work has finished. One step in each pass, so that a kill may come between any two.
     */
    private void operate(String url, String name) throws IOException, InterruptedException {
        String run = url + "/executions/" + runs.get(name);
        for (JsonValue item : ((JsonArray) get(run + "/incidents").find("items").orElseThrow()).items()) {
            String incident = ((JsonObject) item).find("incident").orElseThrow().toString();
            List<String> known = incidents.computeIfAbsent(name, _ -> new ArrayList<>());
            if (!known.contains(incident)) {
                known.add(incident);
            }
            int number = known.indexOf(incident);
            String scope = SCOPES.get(number / 2 % SCOPES.size());
            String target = scope.isEmpty() ? run : url + "/control";
            String body = "{" + scope + "\"reason\": \"a look\"";
            String hold = number % 2 == 0 ? "suspend" : "drain";
            String life = number % 2 == 0 ? "" : ", \"timeToLiveSeconds\": 1";
            String key = name + "-" + incident + "-";
            boolean _ = operate(key + hold, target + "/" + hold, body + life + "}")
                    || operate(key + "resume", target + "/resume", body + "}")
                    || operate(
                            key + "retry",
                            run + "/incidents/" + incident + "/retry",
                            "{\"input\": {\"n\": 8, \"ok\": true}}");
        }
    }

    /** Whether there was something to do. */
    private boolean operate(String key, String url, String body) throws IOException, InterruptedException {
        if (done.contains(key)) {
            return false;
        }
        JsonObject _ = post(url, body, "Flowstone-Principal", "user:olga", "Idempotency-Key", key);
        done.add(key);
        return true;
    }

    private JsonObject get(String url) throws IOException, InterruptedException {
        return answer(request(url).GET().build());
    }

    private JsonObject post(String url, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(url).header("Content-Type", "application/json");
        return answer((headers.length == 0 ? request : request.headers(headers))
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20));
    }

    private JsonObject answer(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        if (BUSY.contains(answer.statusCode())) {
            throw new IOException("not ready");
        }
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(request.uri() + ": " + answer.statusCode() + " " + answer.body());
        }
        try {
            return (JsonObject) JsonParser.parse(answer.body().getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IOException("cut off: " + answer.body(), e);
        }
    }

    private static String text(JsonObject object, String member) {
        return ((JsonString) object.find(member).orElseThrow()).value();
    }
}
