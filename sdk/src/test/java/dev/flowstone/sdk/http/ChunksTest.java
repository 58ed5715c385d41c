package dev.flowstone.sdk.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ChunksTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Where they come from. */
    private static final class Source implements Flow.Subscription {
        private long wanted;
        private boolean cancelled;

        @Override
        public void request(long n) {
            wanted += n;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private final Source source = new Source();
    private final Chunks chunks = new Chunks();

    ChunksTest() {
        chunks.onSubscribe(source);
    }

    private void comes(String text) {
        chunks.onNext(List.of(ByteBuffer.wrap(text.getBytes(UTF_8))));
    }

    private String next() throws Exception {
        return new String(chunks.next(LONG).orElseThrow(), UTF_8);
    }

    @Test
    void askForNoMoreThanIsRead() throws Exception {
        assertEquals(0, source.wanted);
        comes("a");
        assertEquals("a", next());
        assertEquals(1, source.wanted);
        comes("");
        assertEquals(2, source.wanted, "nothing is nothing, so another is asked for");
        chunks.onComplete();
        assertEquals(Optional.empty(), chunks.next(LONG));
        assertEquals(Optional.empty(), chunks.next(LONG));
    }

    @Test
    void whatBreaksIsSaid() {
        chunks.onError(new IOException("reset"));
        assertEquals(
                "reset",
                assertThrows(IOException.class, () -> chunks.next(LONG)).getMessage());
    }

    @Test
    void silenceEndsTheConnection() {
        assertThrows(HttpTimeoutException.class, () -> chunks.next(Duration.ofMillis(1)));
        assertTrue(source.cancelled);
    }

    @Test
    @Timeout(30)
    void toCloseThemEndsTheWait() throws Exception {
        Thread reader = Thread.currentThread();
        Thread closer = Thread.ofVirtual().start(() -> {
            while (reader.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(1_000_000);
            }
            chunks.close();
        });
        assertEquals(Optional.empty(), chunks.next(LONG));
        closer.join();
        assertTrue(source.cancelled);
    }

    /** One that is just here. */
    private record Answer(Chunks body) implements HttpResponse<Chunks> {
        @Override
        public int statusCode() {
            return 200;
        }

        @Override
        public HttpRequest request() {
            return HttpRequest.newBuilder(uri()).build();
        }

        @Override
        public Optional<HttpResponse<Chunks>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public HttpHeaders headers() {
            return HttpHeaders.of(Map.of(), (_, _) -> true);
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return URI.create("http://127.0.0.1/");
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }

    @Test
    void aStreamThatBeginsInTheMomentItIsGivenUpIsClosed() {
        CompletableFuture<HttpResponse<Chunks>> answer = CompletableFuture.completedFuture(new Answer(chunks));
        assertFalse(source.cancelled);
        Wire.giveUp(answer);
        assertTrue(source.cancelled);
    }
}
