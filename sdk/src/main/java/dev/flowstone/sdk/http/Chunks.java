package dev.flowstone.sdk.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A body that comes bit by bit, such as a stream of events. Takes the next bit only when somebody asks for it, so that a server
 * which says more than is read is held up instead of filling memory. For one thread; {@link #close} is for any.
 */
public final class Chunks implements BodySubscriber<Chunks>, AutoCloseable {
    private final LinkedBlockingQueue<Part> parts = new LinkedBlockingQueue<>();
    private final CompletableFuture<Flow.Subscription> source = new CompletableFuture<>();
    private boolean over;

    Chunks() {}

    /** Bytes, or the end, or what broke it. */
    private record Part(Optional<byte[]> bytes, @Nullable Throwable broken) {}

    /**
     * The next bytes, at least one; empty at the end.
     *
     * @throws HttpTimeoutException if none come in time
     * @throws IOException if the connection broke
     */
    public Optional<byte[]> next(Duration patience) throws IOException, InterruptedException {
        if (over) {
            return Optional.empty();
        }
        source.join().request(1);
        Part part = parts.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (part == null) {
            close();
            throw new HttpTimeoutException("nothing came for " + patience.toMillis() + " ms");
        }
        over = part.bytes.isEmpty();
        if (part.broken != null) {
            throw new IOException(String.valueOf(part.broken.getMessage()), part.broken);
        }
        return part.bytes;
    }

    /** At most so many of all the bytes that are left: of a refusal, which is short. */
    byte[] upTo(int most, Duration patience) throws IOException, InterruptedException {
        ByteBuffer all = ByteBuffer.allocate(most);
        long end = System.nanoTime() + patience.toNanos();
        while (all.hasRemaining()) {
            Optional<byte[]> some = next(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (some.isEmpty()) {
                break;
            }
            all.put(some.get(), 0, Math.min(all.remaining(), some.get().length));
        }
        close();
        byte[] taken = new byte[all.position()];
        all.flip().get(taken);
        return taken;
    }

    @Override
    public CompletionStage<Chunks> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        source.complete(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> some) {
        int size = some.stream().mapToInt(ByteBuffer::remaining).sum();
        if (size == 0) {
            source.join().request(1);
            return;
        }
        ByteBuffer together = ByteBuffer.allocate(size);
        some.forEach(together::put);
        parts.add(new Part(Optional.of(together.array()), null));
    }

    @Override
    public void onError(Throwable thrown) {
        parts.add(new Part(Optional.empty(), thrown));
    }

    @Override
    public void onComplete() {
        parts.add(new Part(Optional.empty(), null));
    }

    /** Ends the connection; who waits for bytes is told that there are no more. */
    @Override
    public void close() {
        CompletableFuture<Void> _ = source.thenAccept(Flow.Subscription::cancel);
        onComplete();
    }
}
