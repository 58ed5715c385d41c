package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.client.Judge.Attempt;
import dev.flowstone.sdk.client.Judge.Verdict;
import dev.flowstone.sdk.http.Chunks;
import dev.flowstone.sdk.http.Reply;
import dev.flowstone.sdk.http.Wire;
import java.lang.System.Logger.Level;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes calls: attempt after attempt, as far as repeating does no harm and the time suffices. Thread-safe. */
final class Caller {
    private static final System.Logger LOG = System.getLogger(FlowstoneClient.class.getName());
    private static final Duration ROOM = Duration.ofSeconds(1);

    private final Wire wire;
    private final JsonMapper json;
    private final RetryPolicy retry;
    private final Duration timeout;
    private final Identity identity;
    private final CompletableFuture<Void> closed;
    private final Optional<String> key;
    private final Judge judge;

    /**
     * A caller.
     *
     * @param closed is completed when the client is closed
     * @param key of its calls that take one; each has one of its own if it is empty
     */
    Caller(
            Wire wire,
            JsonMapper json,
            RetryPolicy retry,
            Duration timeout,
            Identity identity,
            CompletableFuture<Void> closed,
            Optional<String> key) {
        this.wire = requireNonNull(wire);
        this.json = requireNonNull(json);
        this.retry = requireNonNull(retry);
        this.timeout = requireNonNull(timeout);
        this.identity = requireNonNull(identity);
        this.closed = requireNonNull(closed);
        this.key = requireNonNull(key);
        this.judge = new Judge(json);
    }

    /** On the same connections as somebody else. */
    Caller as(String principal, List<String> roles) {
        return new Caller(wire, json, retry, timeout, identity.as(principal, roles), closed, key);
    }

    /** Without repeating anything. */
    Caller once() {
        return new Caller(wire, json, retry.withAttempts(1), timeout, identity, closed, key);
    }

    /** With this key for what takes one. */
    Caller underKey(String chosen) {
        return new Caller(wire, json, retry, timeout, identity, closed, Optional.of(Call.checkedKey(chosen)));
    }

    /** The key that somebody has chosen for calls; empty if each makes one of its own. */
    Optional<String> key() {
        return key;
    }

    CompletableFuture<Void> closed() {
        return closed;
    }

    RetryPolicy retry() {
        return retry;
    }

    /** Makes it and reads the answer, which is an object. */
    <T> T read(Call call, Function<Tree, T> shape) {
        return shaped(call, call(call), answered -> shape.apply(Tree.of(answered.body())));
    }

    /** Reads an answer; what isn't in it as it must be is the server's fault. */
    <T> T shaped(Call call, Answered answered, Function<Answered, T> shape) {
        try {
            return shape.apply(answered);
        } catch (Tree.MisreadException | IllegalArgumentException | ArithmeticException e) {
            String correlation = answered.headers().firstValue("Correlation-Id").orElse("");
            throw misread(
                    new Attempt(call, 1, correlation, false), answered.status(), String.valueOf(e.getMessage()), e);
        }
    }

    static UnreadableAnswerException misread(Call call, int status, String what, Throwable cause) {
        return misread(new Attempt(call, 1, "", false), status, what, cause);
    }

    private static UnreadableAnswerException misread(Attempt attempt, int status, String what, Throwable cause) {
        return Judge.unreadable(attempt, status, "the answer is none that was asked for: " + what, cause);
    }

    /** Makes it. */
    Answered call(Call call) {
        return call(call, retry.deadline());
    }

    /** Makes it within this time, or the policy's if that is shorter. */
    Answered call(Call call, Duration within) {
        refuseIfClosed();
        String correlation = UUID.randomUUID().toString();
        Duration deadline = within.compareTo(retry.deadline()) < 0 ? within : retry.deadline();
        long end = System.nanoTime() + deadline.toNanos();
        boolean mayBeDone = false;
        for (int number = 1; ; number++) {
            Attempt attempt = new Attempt(call, number, correlation, mayBeDone);
            switch (judge.judge(attempt, send(attempt, end))) {
                case Verdict.Fine(Answered answered) -> {
                    return answered;
                }
                case Verdict.Failed failed -> {
                    Duration pause = pause(failed, number);
                    if (!failed.again()
                            || number >= retry.attempts()
                            || left(end).compareTo(pause.plus(room())) < 0) {
                        throw failed.why();
                    }
                    LOG.log(
                            Level.DEBUG,
                            () -> failed.why().getMessage() + "; once more in " + pause.toMillis() + " ms");
                    mayBeDone |= failed.mayBeDone();
                    if (isOver(attempt, mayBeDone, pause, closed)) {
                        throw failed.why();
                    }
                }
            }
        }
    }

    private void refuseIfClosed() {
        if (closed.isDone()) {
            throw new IllegalStateException("this client is closed");
        }
    }

    /** What an attempt needs to have an answer at all; one without it would only hide why the one before has failed. */
    private Duration room() {
        return timeout.compareTo(ROOM) < 0 ? timeout : ROOM;
    }

    /** Before the attempt that follows so many: behind what is asked for, so that those who were told the same don't come together. */
    Duration pause(Verdict.Failed failed, int number) {
        return failed.pause().orElse(Duration.ZERO).plus(retry.pauses().after(number));
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    private Reply send(Attempt attempt, long end) {
        Duration left = left(end);
        boolean early = Thread.currentThread().isInterrupted();
        try {
            return wire.send(request(attempt), left.compareTo(timeout) < 0 ? left : timeout);
        } catch (InterruptedException e) {
            throw interrupted(attempt, attempt.mayBeDone() || !early, e);
        }
    }

    private HttpRequest request(Attempt attempt) {
        Call call = attempt.call();
        HttpRequest.Builder request = HttpRequest.newBuilder(wire.at(call.path()))
                .setHeader("Accept", "application/json")
                .setHeader("Correlation-Id", attempt.correlation());
        identity.sign(request);
        call.key().ifPresent(key -> request.setHeader("Idempotency-Key", key));
        call.revision().ifPresent(expected -> request.setHeader("If-Match", "\"r" + expected + "\""));
        call.ifNoneMatch().ifPresent(tag -> request.setHeader("If-None-Match", tag));
        if (call.body().isEmpty()) {
            return request.method(call.method(), BodyPublishers.noBody()).build();
        }
        byte[] body = json.writeValueAsBytes(call.body().get());
        return request.setHeader("Content-Type", "application/json")
                .method(call.method(), BodyPublishers.ofByteArray(body))
                .build();
    }

    /** Waits; true if it is over before. */
    private static boolean isOver(Attempt attempt, boolean mayBeDone, Duration pause, CompletableFuture<?> over) {
        try {
            over.get(pause.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw interrupted(attempt, mayBeDone, e);
        }
    }

    private static InterruptedCallException interrupted(Attempt attempt, boolean mayBeDone, InterruptedException e) {
        Thread.currentThread().interrupt();
        String remedy = "somebody has asked this thread to end";
        return new InterruptedCallException(
                attempt.said(0, "INTERRUPTED", remedy, attempt.correlation(), mayBeDone),
                attempt.text("the caller was interrupted", remedy),
                e);
    }

    /** A stream of events; one attempt. */
    sealed interface Opening {
        record Open(Chunks chunks) implements Opening {}

        /** There is no more to come: status 204. */
        record Over() implements Opening {}

        record Failed(Verdict.Failed failed) implements Opening {}
    }

    /**
     * Asks for one, once.
     *
     * @param pending is told what to cancel to end the wait
     */
    Opening open(Call call, int number, Consumer<Future<?>> pending) {
        refuseIfClosed();
        Attempt attempt = new Attempt(call, number, UUID.randomUUID().toString(), false);
        HttpRequest request = HttpRequest.newBuilder(request(attempt), (_, _) -> true)
                .setHeader("Accept", "text/event-stream")
                .build();
        try {
            return switch (wire.open(request, timeout, pending)) {
                case Wire.Opened.Streaming(Chunks chunks) -> new Opening.Open(chunks);
                case Wire.Opened.Otherwise(Reply reply) ->
                    switch (judge.judge(attempt, reply)) {
                        case Verdict.Fine _ -> new Opening.Over();
                        case Verdict.Failed failed -> new Opening.Failed(failed);
                    };
            };
        } catch (InterruptedException e) {
            throw interrupted(attempt, false, e);
        }
    }

    /** What a stream that broke is. */
    Verdict.Failed lost(Call call, int number, Reply.Lost lost) {
        return Judge.lost(new Attempt(call, number, "", false), lost);
    }

    /** Reads an event of a stream. */
    ExecutionEvent event(Call call, String data) {
        try {
            return ExecutionEvent.read(Tree.of(json.readTree(data)));
        } catch (JacksonException | Tree.MisreadException e) {
            throw misread(call, 200, String.valueOf(e.getMessage()), e);
        }
    }

    /** Reads the status of a stream's last event. */
    ExecutionStatus end(Call call, String data) {
        try {
            Tree tree = Tree.of(json.readTree(data));
            return tree.maybeText("status").isEmpty()
                    ? ExecutionStatus.UNKNOWN
                    : tree.word("status", ExecutionStatus.class, ExecutionStatus.UNKNOWN);
        } catch (JacksonException | Tree.MisreadException e) {
            throw misread(call, 200, String.valueOf(e.getMessage()), e);
        }
    }

    /** For who waits between calls: true if it is over before. */
    boolean isOverBefore(Call call, Duration time, CompletableFuture<?> over) {
        return isOver(new Attempt(call, 1, "", false), false, time, over);
    }

    InterruptedCallException interrupted(Call call, InterruptedException e) {
        return interrupted(new Attempt(call, 1, "", false), false, e);
    }

    /** JSON of a value of the caller's. */
    JsonNode tree(Object value) {
        try {
            return value instanceof JsonNode node ? node : json.valueToTree(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "a " + value.getClass().getName() + " can't be written as JSON: " + e.getOriginalMessage(), e);
        }
    }
}
