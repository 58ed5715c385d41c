package dev.flowstone.server.peer;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.Reply;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/** Takes calls to other nodes, and tells when one is not what it was taken for. */
final class PeerClient implements Forwarder, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PeerClient.class.getName());
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final HttpClient http;

    /** Is told that an owner couldn't be reached, or isn't the owner. */
    private volatile Runnable stale = () -> {};

    PeerClient(SSLContext tls) {
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .sslContext(requireNonNull(tls))
                .build();
    }

    void onStale(Runnable listener) {
        stale = listener;
    }

    @Override
    public Optional<Reply> forward(Member owner, Forwarded call) {
        if (owner.address().isEmpty()) {
            return Optional.empty();
        }
        try {
            Reply reply = reply(http.send(request(owner, call), BodyHandlers.ofByteArray()));
            if (reply.status() == ProblemCode.BUSY.status()) {
                stale.run();
            }
            return Optional.of(reply);
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException e) {
            // It has died, or was cut off: until its lease is over, callers come again.
            stale.run();
            LOG.log(Level.WARNING, "node " + owner.name() + " can't be reached at " + owner.address() + ": " + e);
            return Optional.empty();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "node " + owner.name() + " has not answered: " + e);
            return Optional.of(unknown(call));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(unknown(call));
        }
    }

    /** Nobody knows whether it was done; its idempotency key tells when it is asked again. */
    static Reply unknown(Forwarded call) {
        return Problem.of(
                        ProblemCode.UNAVAILABLE,
                        "the node that has this execution was asked and hasn't answered: whether it was done isn't known;"
                                + " ask again with the same Idempotency-Key")
                .retryAfter(AGAIN)
                .reply(call.correlation());
    }

    private static HttpRequest request(Member owner, Forwarded call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://" + owner.address() + call.target()))
                .timeout(call.patience())
                .method(
                        call.method().name(),
                        call.body().length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.body()));
        call.headers().forEach(request::setHeader);
        if (call.body().length > 0) {
            request.setHeader("Content-Type", "application/json");
        }
        request.setHeader(Border.CORRELATION, call.correlation());
        request.setHeader(CallerHeader.NAME, CallerHeader.text(call.caller()));
        return request.build();
    }

    /** As it was given there, but for what every answer gets here again. */
    private static Reply reply(HttpResponse<byte[]> response) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : Reply.OWN_HEADERS) {
            response.headers().firstValue(name).ifPresent(value -> headers.put(name, value));
        }
        Optional<String> etag = response.headers()
                .firstValue("ETag")
                .filter(tag -> tag.length() > 2 && tag.startsWith("\""))
                .map(tag -> tag.substring(1, tag.length() - 1));
        return new Reply(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body(),
                etag,
                headers,
                false,
                Optional.empty());
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
