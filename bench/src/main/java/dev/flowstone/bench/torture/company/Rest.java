package dev.flowstone.bench.torture.company;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Calls over HTTP, each asked once. */
public final class Rest implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    /** What came back, whole. */
    public record Answer(int status, JsonObject body) {
        /** For a call that was never sent, since nobody could be reached. */
        static final Answer UNSENT = new Answer(0, JsonObject.EMPTY);

        public boolean isOk() {
            return status / 100 == 2;
        }

        /** Whether it was asked at all. */
        public boolean isSent() {
            return !equals(UNSENT);
        }
    }

    /** Empty if no answer came: whatever was asked may have been done. */
    public Optional<Answer> get(Node node, String path, Duration patience) throws InterruptedException {
        return send(request(node, path, patience).GET());
    }

    /** The same for what changes something; an empty object is no body. */
    public Optional<Answer> post(
            Node node, String path, JsonObject body, Map<String, String> headers, Duration patience)
            throws InterruptedException {
        HttpRequest.Builder request = request(node, path, patience).header("Content-Type", "application/json");
        headers.forEach(request::header);
        return send(request.POST(
                body.equals(JsonObject.EMPTY)
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofByteArray(CanonicalJson.exact(body))));
    }

    private static HttpRequest.Builder request(Node node, String path, Duration patience) {
        return HttpRequest.newBuilder(URI.create(node.url() + path)).timeout(patience);
    }

    private Optional<Answer> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
            return JsonParser.parse(answer.body()) instanceof JsonObject body
                    ? Optional.of(new Answer(answer.statusCode(), body))
                    : Optional.empty();
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return Optional.of(Answer.UNSENT);
        } catch (IOException | JsonSyntaxException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
