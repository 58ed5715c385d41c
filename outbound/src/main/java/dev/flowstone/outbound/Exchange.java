package dev.flowstone.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * One request to one host, and its answer, within bounds. Several addresses of a host are tried in turn, as long as none
 * took the connection.
 */
final class Exchange {
    private static final int MOST_ADDRESSES = 4;

    /** How much longer a socket waits than its call: whoever waits for the call says by when it should have been answered. */
    private static final Duration SECOND_WALL = Duration.ofSeconds(1);

    private final CloseableHttpClient http;
    private final OutboundConfig config;
    private final InstantSource clock;

    Exchange(CloseableHttpClient http, OutboundConfig config, InstantSource clock) {
        this.http = http;
        this.config = config;
        this.clock = clock;
    }

    /**
     * Sends it.
     *
     * @param pinned the only addresses that are connected to
     * @param redirects that were followed until here
     */
    Outcome send(OutboundRequest request, Target target, List<InetAddress> pinned, int redirects, Call call) {
        Outcome outcome = unreachable(target, "no address");
        for (InetAddress address : pinned.subList(0, Math.min(pinned.size(), MOST_ADDRESSES))) {
            try {
                return send(request, target, address, redirects, call);
            } catch (IOException e) {
                if (!isUnconnected(e)) {
                    return failure(target, e);
                }
                outcome = unreachable(target, e.getClass().getSimpleName());
            } catch (RuntimeException e) {
                // What came can't be read at all, such as a status of nothing; or the client was closed meanwhile.
                return broken(target, e);
            }
        }
        return outcome;
    }

    private Outcome.Answer send(OutboundRequest request, Target target, InetAddress address, int redirects, Call call)
            throws IOException {
        HttpUriRequestBase message = message(request, target, call.deadline().remaining());
        HttpHost host = new HttpHost(target.scheme(), address, target.host(), target.port());
        call.begins(message);
        ClassicHttpResponse response = http.executeOpen(host, message, HttpClientContext.create());
        try {
            return answer(response, redirects);
        } finally {
            cutOff(message, response);
        }
    }

    private static HttpUriRequestBase message(OutboundRequest request, Target target, Duration remaining) {
        HttpUriRequestBase message = new HttpUriRequestBase(request.method(), URI.create(target.url()));
        message.setAuthority(new URIAuthority(target.host(), target.hasDefaultPort() ? -1 : target.port()));
        for (HttpHeader header : request.headers()) {
            message.addHeader(header.name(), header.value());
        }
        RequestBody body = request.body();
        if (body != null) {
            if (!message.containsHeader("Content-Type")) {
                message.addHeader("Content-Type", body.contentType());
            }
            message.setEntity(new ByteArrayEntity(body.bytes(), null));
        }
        Timeout patience = Timeout.ofMilliseconds(Math.max(1, remaining.toMillis()));
        message.setConfig(RequestConfig.custom()
                .setAuthenticationEnabled(false)
                .setRedirectsEnabled(false)
                .setContentCompressionEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .setConnectionRequestTimeout(patience)
                .setResponseTimeout(Timeout.of(remaining.plus(SECOND_WALL)))
                .build());
        return message;
    }

    private Outcome.Answer answer(ClassicHttpResponse response, int redirects) throws IOException {
        byte[] read = read(response.getEntity());
        boolean truncated = read.length > config.bodyBytes();
        List<HttpHeader> headers = Stream.of(response.getHeaders())
                .map(header -> HttpHeader.of(header.getName(), header.getValue() == null ? "" : header.getValue()))
                .toList();
        Duration pause = headers.stream()
                .filter(header -> header.name().equalsIgnoreCase("Retry-After"))
                .findFirst()
                .flatMap(header -> RetryAfter.read(header.value(), clock.instant(), config.longestPause()))
                .orElse(null);
        return new Outcome.Answer(
                response.getCode(),
                headers,
                truncated ? Arrays.copyOf(read, config.bodyBytes()) : read,
                truncated,
                pause,
                redirects);
    }

    /** One byte more than is kept, which tells whether there was more. */
    private byte[] read(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) {
            return new byte[0];
        }
        InputStream content = entity.getContent();
        return content == null ? new byte[0] : content.readNBytes(config.bodyBytes() + 1);
    }

    /**
     * A connection whose answer was read to its end is back in the pool by now. Any other is closed first, or closing the
     * answer would read the rest.
     */
    private static void cutOff(HttpUriRequestBase message, ClassicHttpResponse response) {
        message.cancel();
        try {
            response.close();
        } catch (IOException e) {
            // What was wanted of the answer is here; the connection is gone either way.
        }
    }

    /** Whether nobody took the connection, so that nothing can have been sent. */
    private static boolean isUnconnected(IOException e) {
        return e instanceof ConnectException
                || e instanceof ConnectTimeoutException
                || e instanceof NoRouteToHostException
                || String.valueOf(e.getMessage()).startsWith("Network is unreachable");
    }

    private static Outcome.Failure unreachable(Target target, String why) {
        return new Outcome.Unreachable(
                target.origin() + " can't be reached (" + why + "); check that it is up and that nothing is in between",
                true);
    }

    private static Outcome.Failure failure(Target target, IOException e) {
        String why = e.getClass().getSimpleName();
        if (e instanceof SSLException) {
            // Only what this side found wrong came surely before the request: the other's alert may follow what it has
            // done.
            boolean untrusted = e instanceof SSLPeerUnverifiedException || e.getCause() instanceof CertificateException;
            return new Outcome.TlsFailed(
                    "TLS with " + target.origin() + " failed (" + why
                            + "); check its certificate, and whether it speaks TLS on that port",
                    untrusted,
                    untrusted);
        }
        if (e instanceof InterruptedIOException) {
            return new Outcome.TimedOut(
                    target.origin() + " did not answer in time (" + why + ")",
                    e instanceof ConnectionRequestTimeoutException);
        }
        return broken(target, e);
    }

    private static Outcome.Broken broken(Target target, Exception e) {
        return new Outcome.Broken(
                "the connection to " + target.origin() + " broke, or what came is no answer ("
                        + e.getClass().getSimpleName() + "); the request may have been done",
                false);
    }
}
