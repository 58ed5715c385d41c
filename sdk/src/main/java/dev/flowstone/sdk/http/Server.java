package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server at its address. Thread-safe; calls share its connections. */
public final class Server implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Of a pause that is asked for: a worker looks again. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** More than a claim of 500 tasks with the largest inputs that a server hands out. */
    private static final long MOST_BYTES = 1L << 30;

    private final Map<String, String> headers;
    private final JsonMapper json;
    private final Wire wire;

    /**
     * A server.
     *
     * @param base such as {@code http://127.0.0.1:8080}
     * @param headers sent with each call
     */
    public Server(URI base, Map<String, String> headers, JsonMapper json) {
        this.headers = Map.copyOf(headers);
        this.json = requireNonNull(json);
        this.wire = new Wire(base, CONNECT, MOST_BYTES);
    }

    public URI base() {
        return wire.base();
    }

    /** Posts JSON; waits at most this long for the answer. */
    public ServerAnswer post(String path, byte[] body, Duration patience) throws InterruptedException {
        return send(
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(body)),
                patience);
    }

    /** Reads. */
    public ServerAnswer get(String path, Duration patience) throws InterruptedException {
        return send(request(path).GET(), patience);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(wire.at(path)).header("Accept", "application/json");
        headers.forEach(request::header);
        return request;
    }

    private ServerAnswer send(HttpRequest.Builder request, Duration patience) throws InterruptedException {
        return switch (wire.send(request.build(), patience)) {
            case Reply.Said said when said.status() / 100 == 2 -> done(said.body());
            case Reply.Said said -> refused(said);
            case Reply.Lost lost -> new ServerAnswer.Silence(lost.why());
        };
    }

    private ServerAnswer done(byte[] body) {
        try {
            return new ServerAnswer.Ok(body.length == 0 ? json.createObjectNode() : json.readTree(body));
        } catch (JacksonException e) {
            return new ServerAnswer.Silence("the answer is no JSON: " + e.getOriginalMessage());
        }
    }

    /** Whatever stands in between, such as a proxy, answers in forms of its own. */
    private ServerAnswer refused(Reply.Said said) {
        int status = said.status();
        String otherwise = status >= 500 || status == 429 ? "retryable" : "permanent";
        JsonNode problem;
        try {
            problem = json.readTree(said.body());
        } catch (JacksonException e) {
            problem = json.createObjectNode();
        }
        return new ServerAnswer.Refused(
                status,
                problem.path("code").asString("HTTP_" + status),
                problem.path("category").asString(otherwise),
                problem.path("detail").asString("status " + status),
                Pause.asked(problem, said.headers()).map(it -> it.compareTo(LONGEST) < 0 ? it : LONGEST));
    }

    /** Ends what is under way. */
    @Override
    public void close() {
        wire.close();
    }
}
