package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server at its address. Thread-safe; calls share its connections. */
public final class Server implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** However long a server, or what stands in between, asks not to be called. */
    private static final long LONGEST_PAUSE_SECONDS = 300;

    private final URI base;
    private final Map<String, String> headers;
    private final JsonMapper json;
    private final HttpClient client;

    /**
     * A server.
     *
     * @param base such as {@code http://127.0.0.1:8080}
     * @param headers sent with each call
     */
    public Server(URI base, Map<String, String> headers, JsonMapper json) {
        this.base = requireNonNull(base);
        this.headers = Map.copyOf(headers);
        this.json = requireNonNull(json);
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build();
    }

    public URI base() {
        return base;
    }

    /** Posts JSON; waits at most this long for the answer. */
    public ServerAnswer post(String path, byte[] body, Duration patience) throws InterruptedException {
        return send(request(path, patience)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build());
    }

    /** Reads. */
    public ServerAnswer get(String path, Duration patience) throws InterruptedException {
        return send(request(path, patience).GET().build());
    }

    private HttpRequest.Builder request(String path, Duration patience) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path)).timeout(patience).header("Accept", "application/json");
        headers.forEach(request::header);
        return request;
    }

    private ServerAnswer send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
            return answer.statusCode() / 100 == 2 ? done(answer.body()) : refused(answer);
        } catch (IOException e) {
            return new ServerAnswer.Silence(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private ServerAnswer done(byte[] body) {
        try {
            return new ServerAnswer.Ok(body.length == 0 ? json.createObjectNode() : json.readTree(body));
        } catch (JacksonException e) {
            return new ServerAnswer.Silence("the answer is no JSON: " + e.getOriginalMessage());
        }
    }

    /** Whatever stands in between, such as a proxy, answers in forms of its own. */
    private ServerAnswer refused(HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        String otherwise = status >= 500 || status == 429 ? "retryable" : "permanent";
        JsonNode problem;
        try {
            problem = json.readTree(answer.body());
        } catch (JacksonException e) {
            problem = json.createObjectNode();
        }
        return new ServerAnswer.Refused(
                status,
                problem.path("code").asString("HTTP_" + status),
                problem.path("category").asString(otherwise),
                problem.path("detail").asString("status " + status),
                wait(problem, answer));
    }

    private static Optional<Duration> wait(JsonNode problem, HttpResponse<?> answer) {
        long seconds = problem.path("retryAfterSeconds").asLong(0);
        if (seconds <= 0) {
            seconds = answer.headers()
                    .firstValue("Retry-After")
                    .filter(text -> text.matches("[0-9]{1,9}"))
                    .map(Long::parseLong)
                    .orElse(0L);
        }
        return seconds > 0
                ? Optional.of(Duration.ofSeconds(Math.min(seconds, LONGEST_PAUSE_SECONDS)))
                : Optional.empty();
    }

    /** Ends what is under way. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
