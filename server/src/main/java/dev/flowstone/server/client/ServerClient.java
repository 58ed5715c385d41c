package dev.flowstone.server.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.http.Percent;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Calls one server as one caller. Never throws for what the other side does: that is an answer, too. Thread-safe. */
public final class ServerClient implements AutoCloseable {
    private static final String API = "/api/v1";
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Longer than the server itself waits for a run. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int NOTHING_TO_SAY = 204;
    private static final int TOO_MANY = 429;

    /** In all, for a server that says when it has time for the call again; longer is for who called to decide. */
    private static final Duration MOST_PAUSES = Duration.ofSeconds(30);

    private final URI server;
    private final Identity identity;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param server its address, without {@code /api/v1} */
    public ServerClient(URI server, Identity identity) {
        this.server = requireNonNull(server);
        this.identity = requireNonNull(identity);
    }

    /** Calls a route. */
    public ServerAnswer call(ServerCall call) throws InterruptedException {
        try {
            return send(request(call, API + call.path()));
        } catch (IllegalArgumentException e) {
            // A header that can't be sent, such as a principal with a line break.
            return new ServerAnswer.Silent("the call can't be sent: " + e.getMessage());
        }
    }

    /** Looks at what stands beside the interface, such as {@code /health}. */
    public ServerAnswer look(String path) throws InterruptedException {
        try {
            return send(request(ServerCall.of("GET", path), path));
        } catch (IllegalArgumentException e) {
            return new ServerAnswer.Silent("the call can't be sent: " + e.getMessage());
        }
    }

    private ServerAnswer send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = inTurn(request);
            if (response.statusCode() == NOTHING_TO_SAY) {
                return new ServerAnswer.Done(JsonObject.EMPTY);
            }
            if (JsonParser.parse(response.body(), JsonLimits.STORED) instanceof JsonObject json) {
                return response.statusCode() < 300
                        ? new ServerAnswer.Done(json, revision(response))
                        : new ServerAnswer.Refused(response.statusCode(), json);
            }
            return new ServerAnswer.Silent("what answers at " + server + " is no Flowstone");
        } catch (JsonSyntaxException e) {
            return new ServerAnswer.Silent("what answers at " + server + " is no Flowstone");
        } catch (HttpTimeoutException e) {
            return new ServerAnswer.Silent("no answer from " + server + " in time; whether it was done is not known");
        } catch (ConnectException e) {
            return new ServerAnswer.Silent("nobody answers at " + server);
        } catch (IOException e) {
            return new ServerAnswer.Silent("the connection to " + server + " broke (" + e.getMessage()
                    + "); whether it was done is not known");
        }
    }

    private static OptionalLong revision(HttpResponse<?> response) {
        return response.headers()
                .firstValue("ETag")
                .filter(text -> text.matches("\"r[0-9]{1,18}\""))
                .map(text -> OptionalLong.of(Long.parseLong(text.substring(2, text.length() - 1))))
                .orElse(OptionalLong.empty());
    }

    /** A call of which nothing was done since there are too many is sent again when the server says so, if that is soon. */
    private HttpResponse<byte[]> inTurn(HttpRequest request) throws IOException, InterruptedException {
        Duration left = MOST_PAUSES;
        while (true) {
            HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
            Optional<Duration> pause = response.statusCode() == TOO_MANY ? pause(response) : Optional.empty();
            if (pause.isEmpty() || pause.get().compareTo(left) > 0) {
                return response;
            }
            Thread.sleep(pause.get());
            left = left.minus(pause.get());
        }
    }

    /** What {@code Retry-After} says in seconds; at least one, so that a server that says nothing else is not pressed. */
    private static Optional<Duration> pause(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,6}"))
                .map(text -> Duration.ofSeconds(Math.max(1, Long.parseLong(text))));
    }

    private HttpRequest request(ServerCall call, String path) {
        String asked = call.query().entrySet().stream()
                .map(entry -> Percent.segment(entry.getKey()) + "=" + Percent.segment(entry.getValue()))
                .collect(Collectors.joining("&"));
        URI uri = URI.create(server + path + (asked.isEmpty() ? "" : "?" + asked));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(PATIENCE)
                .method(
                        call.method(),
                        call.body()
                                .map(CanonicalJson::exact)
                                .map(BodyPublishers::ofByteArray)
                                .orElseGet(BodyPublishers::noBody));
        call.body().ifPresent(_ -> request.setHeader("Content-Type", "application/json"));
        identity.tenant().ifPresent(it -> request.setHeader(LoopbackCallers.TENANT, it));
        identity.principal().ifPresent(it -> request.setHeader(LoopbackCallers.PRINCIPAL, it));
        identity.roles().ifPresent(it -> request.setHeader(LoopbackCallers.ROLES, it));
        identity.token().ifPresent(it -> request.setHeader("Authorization", "Bearer " + it));
        call.idempotencyKey().ifPresent(it -> request.setHeader("Idempotency-Key", it));
        call.revision().ifPresent(it -> request.setHeader("If-Match", "\"r" + it + "\""));
        return request.build();
    }

    @Override
    public void close() {
        http.close();
    }
}
