package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.client.Judge.Verdict;
import dev.flowstone.sdk.client.ServerSentEvents.Sent;
import dev.flowstone.sdk.http.Chunks;
import dev.flowstone.sdk.http.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Follows one execution by its stream. Comes back with the number of the next event when a connection ends before the execution
 * does; a server that says nothing at all for {@link #SILENCE} (it has a word every 15 seconds) counts as gone.
 */
final class Follower implements Following {
    private static final Duration SILENCE = Duration.ofSeconds(45);
    private static final Duration LIVELY = Duration.ofSeconds(10);
    private static final int MOST = 64 << 20;

    private final Caller caller;
    private final String path;
    private final Duration silence;
    private final Duration lively;
    private final CompletableFuture<Void> stop = new CompletableFuture<>();
    private final CompletableFuture<?> ended;
    private long expected;
    private @Nullable ExecutionEvent event;
    private @Nullable ServerSentEvents stream;
    private volatile @Nullable Chunks connection;
    private volatile @Nullable Future<?> opening;
    private Optional<ExecutionStatus> end = Optional.empty();
    private @Nullable FlowstoneException broken;
    private int failures;
    private long failingSince;
    private long connectedSince;

    Follower(Caller caller, String path, long from) {
        this(caller, path, from, SILENCE, LIVELY);
    }

    /**
     * The same with another patience.
     *
     * @param lively how long a connection that was heard of lasts, so that its end is no failure
     */
    Follower(Caller caller, String path, long from, Duration silence, Duration lively) {
        this.caller = requireNonNull(caller);
        this.path = requireNonNull(path);
        this.silence = requireNonNull(silence);
        this.lively = requireNonNull(lively);
        this.ended = CompletableFuture.anyOf(stop, caller.closed());
        this.expected = from;
    }

    private Call call() {
        return Call.get(path + "?from=" + expected);
    }

    @Override
    public boolean hasNext() {
        if (broken != null) {
            throw broken;
        }
        try {
            while (event == null && end.isEmpty() && !stop.isDone()) {
                if (stream == null) {
                    connect();
                } else {
                    read(stream);
                }
            }
        } catch (FlowstoneException e) {
            broken = e;
            close();
            throw e;
        }
        return event != null;
    }

    @Override
    public Optional<ExecutionStatus> end() {
        return end;
    }

    @Override
    public ExecutionEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ExecutionEvent told = requireNonNull(event);
        event = null;
        return told;
    }

    private void connect() {
        switch (caller.open(call(), failures + 1, this::pending)) {
            case Caller.Opening.Open(Chunks chunks) -> {
                connection = chunks;
                connectedSince = System.nanoTime();
                stream = new ServerSentEvents(chunks::next, silence, MOST);
                if (stop.isDone()) {
                    chunks.close();
                }
            }
            case Caller.Opening.Over() -> over(ExecutionStatus.UNKNOWN);
            case Caller.Opening.Failed(Verdict.Failed failed) -> failed(failed);
        }
    }

    private void pending(Future<?> answer) {
        opening = answer;
        if (stop.isDone()) {
            answer.cancel(true);
        }
    }

    private void over(ExecutionStatus status) {
        end = Optional.of(status);
        close();
    }

    private void read(ServerSentEvents from) {
        try {
            Optional<Sent> sent = from.next();
            if (sent.isPresent()) {
                take(sent.get());
            } else {
                broken("the stream ended before the execution did");
            }
        } catch (IOException e) {
            broken(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw caller.interrupted(call(), e);
        }
    }

    private void take(Sent sent) {
        switch (sent.name()) {
            case "end" -> over(caller.end(call(), sent.data()));
            case "message" -> told(caller.event(call(), sent.data()));
            case "damaged" -> {
                throw Caller.misread(
                        call(),
                        200,
                        "the server can't read event " + expected + ": " + sent.data(),
                        new IllegalStateException("a damaged execution"));
            }
            default -> {
                // A newer server's, and not an event of the execution.
            }
        }
    }

    private void told(ExecutionEvent heard) {
        if (heard.sequence() < expected) {
            // Told before.
            return;
        }
        if (heard.sequence() > expected) {
            throw Caller.misread(
                    call(),
                    200,
                    "event " + heard.sequence() + " comes where " + expected + " should",
                    new IllegalStateException("a gap"));
        }
        event = heard;
        expected++;
        failures = 0;
    }

    private void broken(String why) {
        boolean heard = stream != null && stream.heard();
        disconnect();
        if (heard && System.nanoTime() - connectedSince > lively.toNanos()) {
            // It was a connection that had nothing to tell, and no failure.
            failures = 0;
        }
        if (!stop.isDone()) {
            failed(caller.lost(call(), failures + 1, new Reply.Lost(Reply.Loss.CUT_OFF, why)));
        }
    }

    /** Waits, and gives up after as many failures in a row, or when they last as long, as a call may. */
    private void failed(Verdict.Failed failed) {
        if (stop.isDone()) {
            return;
        }
        if (failures == 0) {
            failingSince = System.nanoTime();
        }
        failures++;
        Duration pause = caller.pause(failed, failures);
        Duration failing = Duration.ofNanos(System.nanoTime() - failingSince);
        RetryPolicy retry = caller.retry();
        boolean tooLong = failing.plus(pause).compareTo(retry.deadline()) > 0;
        if (!failed.again() || failures >= retry.attempts() || tooLong) {
            throw failed.why();
        }
        if (caller.isOverBefore(call(), pause, ended) && !stop.isDone()) {
            // The client is closed, and not the follower alone.
            throw failed.why();
        }
    }

    private void disconnect() {
        stream = null;
        Chunks chunks = connection;
        connection = null;
        if (chunks != null) {
            chunks.close();
        }
    }

    @Override
    public Stream<ExecutionEvent> stream() {
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(this::close);
    }

    @Override
    public void close() {
        stop.complete(null);
        Future<?> answer = opening;
        if (answer != null) {
            answer.cancel(true);
        }
        Chunks chunks = connection;
        if (chunks != null) {
            chunks.close();
        }
    }
}
