package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Connections to a server. A request gets an answer, whole and within the time, or is lost in a way that is told; the time counts to
 * the answer's last byte, so that no server holds a caller up by a byte now and then. Redirects are not followed: they would be
 * told tokens. Thread-safe.
 */
public final class Wire implements AutoCloseable {
    /** Of a refusal instead of a stream. */
    private static final int SHORT = 256 * 1024;

    private final URI base;
    private final HttpClient client;
    private final long mostBytes;

    /**
     * Connections.
     *
     * @param base such as {@code http://127.0.0.1:8080}, or below a path at which a proxy has it
     * @param mostBytes of an answer
     */
    public Wire(URI base, Duration connectWithin, long mostBytes) {
        this(base, connectWithin, mostBytes, Optional.empty(), Optional.empty());
    }

    /**
     * The same with what the caller has in place of what its Java has.
     *
     * @param tls whom it trusts, and what it shows of itself
     * @param proxy by way of which it goes
     */
    public Wire(
            URI base, Duration connectWithin, long mostBytes, Optional<SSLContext> tls, Optional<ProxySelector> proxy) {
        this.base = checked(base);
        this.mostBytes = mostBytes;
        HttpClient.Builder connections =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectWithin);
        tls.ifPresent(connections::sslContext);
        proxy.ifPresent(connections::proxy);
        this.client = connections.build();
    }

    private static URI checked(URI base) {
        String scheme = String.valueOf(base.getScheme());
        boolean web = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
        if (!web || base.getHost() == null || base.getRawQuery() != null || base.getRawFragment() != null) {
            throw new IllegalArgumentException("a server's address is like http://127.0.0.1:8080");
        }
        if (base.getRawUserInfo() != null) {
            // It isn't said which: somebody has put a password there.
            throw new IllegalArgumentException("a server's address names no user; give a token");
        }
        return base;
    }

    public URI base() {
        return base;
    }

    /** Where something is. */
    public URI at(String path) {
        String all = base.toString();
        return URI.create((all.endsWith("/") ? all.substring(0, all.length() - 1) : all) + path);
    }

    /** Sends it and waits at most this long for all of the answer. */
    public Reply send(HttpRequest request, Duration patience) throws InterruptedException {
        return switch (exchange(request, _ -> new Bounded(mostBytes), patience, _ -> {})) {
            case Exchanged.Answered<byte[]>(HttpResponse<byte[]> answer) ->
                new Reply.Said(answer.statusCode(), answer.headers(), answer.body());
            case Exchanged.Failed<byte[]>(Reply.Lost lost) -> lost;
        };
    }

    /** What came of asking for a stream. */
    public sealed interface Opened {
        /** It comes: status 200. */
        record Streaming(Chunks chunks) implements Opened {
            public Streaming {
                requireNonNull(chunks);
            }
        }

        /** Something else came. */
        record Otherwise(Reply reply) implements Opened {
            public Otherwise {
                requireNonNull(reply);
            }
        }
    }

    /**
     * Asks for a stream, and waits at most this long for it to begin, or for all of another answer.
     *
     * @param pending is told what to cancel to end the wait
     */
    public Opened open(HttpRequest request, Duration patience, Consumer<Future<?>> pending)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        return switch (exchange(request, _ -> new Chunks(), patience, pending)) {
            case Exchanged.Answered<Chunks>(HttpResponse<Chunks> answer)
            when answer.statusCode() == 200 -> new Opened.Streaming(answer.body());
            case Exchanged.Answered<Chunks>(HttpResponse<Chunks> answer) ->
                new Opened.Otherwise(other(answer, Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
            case Exchanged.Failed<Chunks>(Reply.Lost lost) -> new Opened.Otherwise(lost);
        };
    }

    private static Reply other(HttpResponse<Chunks> answer, Duration patience) throws InterruptedException {
        try (Chunks chunks = answer.body()) {
            return new Reply.Said(answer.statusCode(), answer.headers(), chunks.upTo(SHORT, patience));
        } catch (IOException e) {
            return lost(e);
        }
    }

    private sealed interface Exchanged<T> {
        record Answered<T>(HttpResponse<T> answer) implements Exchanged<T> {}

        record Failed<T>(Reply.Lost lost) implements Exchanged<T> {}
    }

    private <T> Exchanged<T> exchange(
            HttpRequest request, BodyHandler<T> body, Duration patience, Consumer<Future<?>> pending)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        pending.accept(answer);
        try {
            return new Exchanged.Answered<>(answer.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            giveUp(answer);
            return new Exchanged.Failed<>(
                    new Reply.Lost(Reply.Loss.TIMED_OUT, "no answer within " + patience.toMillis() + " ms"));
        } catch (InterruptedException e) {
            giveUp(answer);
            throw e;
        } catch (CancellationException e) {
            return new Exchanged.Failed<>(new Reply.Lost(Reply.Loss.CUT_OFF, "it was given up"));
        } catch (ExecutionException e) {
            return new Exchanged.Failed<>(lost(e.getCause() == null ? e : e.getCause()));
        }
    }

    /** The answer may have come in this moment: then nobody reads it, and its connection would stay. */
    static <T> void giveUp(CompletableFuture<HttpResponse<T>> answer) {
        if (!answer.cancel(true)) {
            CompletableFuture<Void> _ = answer.thenAccept(it -> {
                if (it.body() instanceof Chunks chunks) {
                    chunks.close();
                }
            });
        }
    }

    private static Reply.Lost lost(Throwable e) {
        Reply.Loss loss = switch (e) {
            case ConnectException _, HttpConnectTimeoutException _ -> Reply.Loss.NOT_SENT;
            case HttpTimeoutException _ -> Reply.Loss.TIMED_OUT;
            case SSLException _ -> Reply.Loss.NOT_TRUSTED;
            case Bounded.TooLargeException _ -> Reply.Loss.TOO_LARGE;
            default -> Reply.Loss.CUT_OFF;
        };
        String name = e.getClass().getSimpleName();
        return new Reply.Lost(loss, e.getMessage() == null ? name : name + ": " + e.getMessage());
    }

    /** Ends what is under way. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
