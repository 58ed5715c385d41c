package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Backoff;
import dev.flowstone.sdk.http.Server;
import dev.flowstone.sdk.http.ServerAnswer;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells servers what came of attempts, many in one call, until they have said that they know. To say the same again is
 * harmless, so whatever is in doubt is said again. Thread-safe; its senders are {@link #send}.
 */
final class Completions {
    private static final System.Logger LOG = System.getLogger(Completions.class.getName());
    private static final int MOST = 500;
    private static final int BYTES = 1 << 20;
    private static final byte[] HEAD = "{\"tasks\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.UTF_8);

    private final List<Server> servers;
    private final JsonMapper json;
    private final Backoff backoff;
    private final Told told;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Item> waiting = new ArrayDeque<>();
    private int open;
    private boolean closed;

    Completions(List<Server> servers, JsonMapper json, Backoff backoff, Told told) {
        this.servers = List.copyOf(servers);
        this.json = requireNonNull(json);
        this.backoff = requireNonNull(backoff);
        this.told = requireNonNull(told);
    }

    /** Is told of each attempt that is over for this worker. */
    @FunctionalInterface
    interface Told {
        void told(Held held, Verdict verdict);
    }

    /** What became of an answer. */
    enum Verdict {
        /** The run has heard it, now or before. */
        HEARD,
        /** The run wants no answer from this attempt: it is settled, or not there. */
        UNWANTED
    }

    /**
     * One answer on its way.
     *
     * @param last whether it is already the one that replaces an answer that the server couldn't take
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Item(Held held, byte[] bytes, boolean last) {}

    void add(Held held, byte[] answer) {
        lock.lock();
        try {
            waiting.add(new Item(held, answer, false));
            open++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One sender's life: takes what waits for one server, tells it, waits as long as servers ask for. */
    void send() {
        try {
            for (List<Item> batch = next(); !batch.isEmpty(); batch = next()) {
                tell(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Item> next() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.await();
            }
            List<Item> batch = new ArrayList<>();
            long bytes = 0;
            while (!waiting.isEmpty() && batch.size() < MOST) {
                Item item = waiting.element();
                bytes += item.bytes.length;
                boolean fits = batch.isEmpty() || (bytes <= BYTES && item.held.server == batch.getFirst().held.server);
                if (!fits) {
                    break;
                }
                batch.add(waiting.remove());
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void tell(List<Item> batch) throws InterruptedException {
        List<Item> left = batch;
        for (int failures = 0; !left.isEmpty(); ) {
            Server server = server(left.getFirst().held.server, failures);
            ServerAnswer answer = server.post("/api/v1/tasks/complete", body(left), Span.ANSWER);
            Duration asked = Duration.ZERO;
            switch (answer) {
                case ServerAnswer.Ok(JsonNode body) -> left = unheard(left, body.path("tasks"));
                case ServerAnswer.Refused refused
                when !refused.passes() && refused.status() / 100 == 4 -> left = refused(left, refused);
                case ServerAnswer.Refused refused -> {
                    asked = refused.retryAfter().orElse(Duration.ZERO);
                    LOG.log(Level.WARNING, server.base() + " takes no answers now: " + refused.detail());
                }
                case ServerAnswer.Silence(String why) ->
                    LOG.log(Level.WARNING, server.base() + " does not answer: " + why);
            }
            if (!left.isEmpty()) {
                failures++;
                pause(asked.compareTo(backoff.after(failures)) > 0 ? asked : backoff.after(failures));
            }
        }
    }

    /** The one that handed it out; the others in turn while that one doesn't take it: its shard may have moved. */
    private Server server(Server first, int failures) {
        return servers.get(Math.floorMod(servers.indexOf(first) + failures, servers.size()));
    }

    private static byte[] body(List<Item> batch) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HEAD);
        for (int i = 0; i < batch.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(batch.get(i).bytes);
        }
        out.writeBytes(TAIL);
        return out.toByteArray();
    }

    /** Those that have to be told again. */
    private List<Item> unheard(List<Item> batch, JsonNode answers) {
        List<Item> again = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Item item = batch.get(i);
            JsonNode answer = answers.path(i);
            String state = answer.path("state").asString("");
            String category = answer.path("category").asString("");
            switch (state) {
                case "accepted", "unchanged", "buffered" -> over(item, Verdict.HEARD);
                case "refused" -> {
                    if (category.equals("permanent") && answer.path("status").asInt() != 404) {
                        unacceptable(item, answer.path("detail").asString("")).ifPresent(again::add);
                    } else if (category.equals("permanent") || category.equals("conflict")) {
                        over(item, Verdict.UNWANTED);
                    } else {
                        again.add(item);
                    }
                }
                default -> again.add(item);
            }
        }
        return again;
    }

    /** The whole call was refused for good: the answer that is to blame is found by sending each alone. */
    private List<Item> refused(List<Item> batch, ServerAnswer.Refused refused) throws InterruptedException {
        if (batch.size() == 1) {
            return unacceptable(batch.getFirst(), refused.detail())
                    .map(List::of)
                    .orElse(List.of());
        }
        for (Item item : batch) {
            tell(List.of(item));
        }
        return List.of();
    }

    /** The server can't take this answer: the attempt fails instead, for good, and says why. */
    private Optional<Item> unacceptable(Item item, String why) {
        if (item.last) {
            LOG.log(Level.ERROR, "no answer for " + item.held.offer.activation() + " is taken: " + why);
            over(item, Verdict.UNWANTED);
            return Optional.empty();
        }
        TaskFailure failure = TaskFailure.permanent("ANSWER_REFUSED", "the server refused the answer: " + why);
        return Optional.of(new Item(item.held, Execution.failed(item.held, failure, json), true));
    }

    private void over(Item item, Verdict verdict) {
        told.told(item.held, verdict);
        lock.lock();
        try {
            open--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void pause(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lock();
        try {
            while (left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything is told; false if some isn't. */
    boolean awaitTold(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (open > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return open == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Senders end once nothing waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
