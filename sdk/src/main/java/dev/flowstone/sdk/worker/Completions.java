package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Backoff;
import dev.flowstone.sdk.http.Server;
import dev.flowstone.sdk.http.ServerAnswer;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells servers what came of attempts, many in one call, until they have said that they know. To say the same again is
 * harmless, so whatever is in doubt is said again; what is refused for now waits by itself. Only what a Flowstone says it can
 * never take is replaced by a failure. Thread-safe; its senders are {@link #send}, each of them for one server.
 */
final class Completions {
    private static final System.Logger LOG = System.getLogger(Completions.class.getName());
    private static final int MOST = 500;
    private static final byte[] HEAD = "{\"tasks\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.UTF_8);

    /** Of calls that some part of their body was too much for. */
    private static final Set<Integer> BODY_REFUSED = Set.of(400, 413, 415, 422);

    /** By which a Flowstone says so of a whole call: of others it may be the network's fault, such as of a body that is cut off. */
    private static final Set<String> BODY_NEVER_TAKEN = Set.of("MALFORMED_JSON", "BODY_TOO_LARGE");

    /** By which a Flowstone says that an answer itself is wrong, whenever it comes. Whatever stands in between has no such words. */
    private static final Set<String> NEVER_TAKEN = Set.of(
            "MALFORMED_JSON",
            "INVALID_REQUEST",
            "INVALID_COMMAND",
            "BODY_TOO_LARGE",
            "LIMIT_EXCEEDED",
            "UNSUPPORTED_MEDIA_TYPE");

    /** So many failures in a row are no chance, nor one answer's fault: the server is away. */
    private static final int AWAY = 2;

    private final Outbox outbox = new Outbox();
    private final List<Server> servers;
    private final JsonMapper json;
    private final Backoff backoff;
    private final Told told;

    Completions(List<Server> servers, JsonMapper json, Backoff backoff, Told told) {
        this.servers = List.copyOf(servers);
        this.json = requireNonNull(json);
        this.backoff = requireNonNull(backoff);
        this.told = requireNonNull(told);
    }

    /** Is told what becomes of attempts. */
    interface Told {
        /** It is over for this worker. */
        void told(Held held, Verdict verdict);

        /** Its run is suspended and can't keep its answer; nobody knows for how long. */
        void kept(Held held);
    }

    /** What became of an answer. */
    enum Verdict {
        /** The run has heard it, now or before. */
        HEARD,
        /** The run wants no answer from this attempt: it is settled, or not there. */
        UNWANTED
    }

    void add(Held held, boolean success, byte[] answer) {
        outbox.add(Answer.of(held, answer, success));
    }

    /** One sender's life: takes what is for its server, tells it, waits as long as that server asks for. */
    void send(Server server) {
        int failures = 0;
        int most = MOST;
        try {
            List<Answer> batch = outbox.next(server, most);
            while (!batch.isEmpty()) {
                Optional<Duration> asked = tell(server, batch);
                outbox.tried(server, batch);
                if (asked.isPresent()) {
                    failures++;
                    // One will do to see whether it is back; and what may be to blame holds up as little as can be.
                    most = 1;
                    pause(server, failures, asked.get());
                } else {
                    failures = 0;
                    most = Math.min(MOST, most * 2);
                    outbox.back(server);
                }
                batch = outbox.next(server, most);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pause(Server server, int failures, Duration asked) throws InterruptedException {
        if (failures >= AWAY || asked.isPositive()) {
            outbox.away(server);
        }
        Duration pause = backoff.after(failures);
        outbox.pause(asked.compareTo(pause) > 0 ? asked : pause);
    }

    /** Empty if the server has judged them; else how long it asks to be left alone. */
    private Optional<Duration> tell(Server server, List<Answer> batch) throws InterruptedException {
        return switch (server.post("/api/v1/tasks/complete", body(batch), Span.ANSWER)) {
            case ServerAnswer.Ok(JsonNode body) -> {
                judged(server, batch, body.path("tasks"));
                yield Optional.empty();
            }
            case ServerAnswer.Refused refused
            when BODY_REFUSED.contains(refused.status()) -> {
                bodyRefused(server, batch, refused);
                yield Optional.empty();
            }
            case ServerAnswer.Refused refused -> {
                LOG.log(Level.WARNING, server.base() + " takes no answers now: " + refused.detail());
                failed(server, batch);
                yield Optional.of(refused.retryAfter().orElse(Duration.ZERO));
            }
            case ServerAnswer.Silence(String why) -> {
                LOG.log(Level.WARNING, server.base() + " does not answer: " + why);
                failed(server, batch);
                yield Optional.of(Duration.ZERO);
            }
        };
    }

    /**
     * A call failed as a whole. Perhaps it was for one of its answers: each is in smaller company from now on, and one that
     * fails by itself waits by itself.
     */
    private void failed(Server server, List<Answer> batch) {
        if (batch.size() == 1) {
            Answer alone = batch.getFirst().again(server, 1);
            later(alone, after(server), false).ifPresent(answer -> outbox.putBack(List.of(answer)));
        } else {
            apart(batch, after(server));
        }
    }

    private void apart(List<Answer> batch, Server next) {
        int most = batch.size() / 2;
        outbox.putBack(batch.stream().map(each -> each.again(next, most)).toList());
    }

    /** The next in turn: the shard may have moved there. */
    private Server after(Server server) {
        return servers.get((servers.indexOf(server) + 1) % servers.size());
    }

    private byte[] body(List<Answer> batch) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HEAD);
        for (int i = 0; i < batch.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            write(batch.get(i), out);
        }
        out.writeBytes(TAIL);
        return out.toByteArray();
    }

    /** The lease is the present one: it may have got another name since the answer was written. */
    private void write(Answer answer, ByteArrayOutputStream out) {
        out.writeBytes("{\"lease\":".getBytes(StandardCharsets.UTF_8));
        out.writeBytes(json.writeValueAsBytes(answer.held().lease()));
        out.write(',');
        out.write(answer.bytes(), 1, answer.bytes().length - 1);
    }

    private void judged(Server server, List<Answer> batch, JsonNode answers) {
        List<Answer> again = new ArrayList<>(0);
        for (int i = 0; i < batch.size(); i++) {
            judged(server, batch.get(i), answers.path(i)).ifPresent(again::add);
        }
        if (!again.isEmpty()) {
            outbox.putBack(again);
        }
    }

    /** What has to be told again, or in its place. */
    private Optional<Answer> judged(Server server, Answer answer, JsonNode said) {
        String category = said.path("category").asString("");
        switch (said.path("state").asString("")) {
            case "accepted", "unchanged", "buffered" -> over(answer, Verdict.HEARD);
            case "refused" -> {
                boolean wrong = category.equals("permanent")
                        && BODY_REFUSED.contains(said.path("status").asInt());
                if (wrong || NEVER_TAKEN.contains(said.path("code").asString(""))) {
                    return unacceptable(answer, said.path("detail").asString(""));
                }
                if (category.equals("permanent") || category.equals("conflict")) {
                    over(answer, Verdict.UNWANTED);
                } else if (category.equals("suspended")) {
                    // It stays where it is, for who knows how long.
                    told.kept(answer.held());
                    return later(answer, server, true);
                } else {
                    return later(answer, after(server), false);
                }
            }
            default -> {
                return later(answer, after(server), false);
            }
        }
        return Optional.empty();
    }

    private Optional<Answer> later(Answer answer, Server next, boolean suspended) {
        if (answer.held().isGone() && !answer.success()) {
            over(answer, Verdict.UNWANTED);
            return Optional.empty();
        }
        return Optional.of(answer.after(backoff.after(answer.failures() + 1).toNanos(), next, suspended));
    }

    /** The whole call was refused for its body: which answer is to blame is found by sending fewer, at last each alone. */
    private void bodyRefused(Server server, List<Answer> batch, ServerAnswer.Refused refused) {
        if (batch.size() > 1) {
            apart(batch, server);
        } else if (BODY_NEVER_TAKEN.contains(refused.code())) {
            unacceptable(batch.getFirst(), refused.detail()).map(List::of).ifPresent(outbox::putBack);
        } else {
            LOG.log(Level.WARNING, server.base() + " doesn't take an answer: " + refused.detail());
            failed(server, batch);
        }
    }

    /** The server can't take this answer, ever: the attempt fails instead, for good, and says why. */
    private Optional<Answer> unacceptable(Answer answer, String why) {
        if (answer.replacing()) {
            LOG.log(Level.ERROR, "no answer for " + answer.held().offer.activation() + " is taken: " + why);
            over(answer, Verdict.UNWANTED);
            return Optional.empty();
        }
        TaskFailure failure = TaskFailure.permanent("ANSWER_REFUSED", "the server refused the answer: " + why);
        return Optional.of(answer.replaced(Execution.failed(answer.held(), failure, json)));
    }

    private void over(Answer answer, Verdict verdict) {
        told.told(answer.held(), verdict);
        outbox.over();
    }

    /** Waits until everything is told that no suspended run is in the way of; false if some isn't. */
    boolean awaitTold(long nanos) throws InterruptedException {
        return outbox.awaitTold(nanos);
    }

    /** Senders end once nothing is ready. */
    void close() {
        outbox.close();
    }
}
