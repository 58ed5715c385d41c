package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The one way from an HTTP mutation to a run, and back. What it answers is true: the engine tells only after the commit.
 * Who acts, what allowed it and the idempotency key go into the events.
 */
final class RunCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SHOWN = 100;

    /** Of a run that isn't there. */
    private static final String NOT_STARTED = "NOT_STARTED";

    private final Engine engine;
    private final RunReader runs;

    RunCalls(Engine engine, RunReader runs) {
        this.engine = requireNonNull(engine);
        this.runs = requireNonNull(runs);
    }

    /**
     * What a call did.
     *
     * @param events that it caused; none if it was a repetition
     * @param repeated whether it was accepted before under its idempotency key
     * @param buffered whether it is only recorded, to be decided when its run is resumed
     */
    record Done(RunId run, List<EventBody> events, long lastSequence, boolean repeated, boolean buffered) {
        Done {
            requireNonNull(run);
            events = List.copyOf(events);
        }
    }

    /** The run that the path names. */
    RunRow row(Call call) throws ProblemException, JournalException {
        RunId id = Answers.execution(call);
        Optional<RunRow> row = runs.run(call.tenant(), id);
        if (row.isEmpty()) {
            throw Answers.absent(runs, call.tenant(), id);
        }
        return row.get();
    }

    /** Asks it of the run that the path names. Whether it exists its shard knows, which reads for many at once. */
    Reply ask(Call call, Command command) throws ProblemException, JournalException {
        return reply(ask(call, Answers.execution(call), command, List.of()), JsonObject.builder());
    }

    /** Asks it of this run, or of this aggregate, and stores payloads beside it. */
    Done ask(Call call, RunId run, Command command, List<StoredPayload> payloads)
            throws ProblemException, JournalException {
        return ask(call, run, command, payloads, call.idempotencyKey());
    }

    /** The same under a key of its own, for what is to be done once also if the caller named none. */
    Done ask(Call call, RunId run, Command command, List<StoredPayload> payloads, Optional<String> key)
            throws ProblemException, JournalException {
        if (call.headers().single("If-Match").isPresent()) {
            throw Query.refused("If-Match is for workflows; an execution judges on its state, so leave it out");
        }
        return switch (wait(request(call, run, command, payloads, key))) {
            case CallAnswer.Done(List<EventBody> events, long last, boolean buffered) ->
                new Done(run, events, last, false, buffered);
            case CallAnswer.Repeated(long last) -> new Done(run, List.of(), last, true, false);
            case CallAnswer.OtherRequest() ->
                throw Problem.of(
                                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                                "another request was accepted under this Idempotency-Key; choose another key")
                        .exception();
            case CallAnswer.Refused(String code, String _)
            when code.equals(NOT_STARTED) -> throw Answers.absent(runs, call.tenant(), run);
            case CallAnswer.Refused(String code, String reason) -> throw Refusals.exception(code, reason);
            case CallAnswer.Busy(String reason, Duration wait, Optional<Member> owner) ->
                throw Problem.of(ProblemCode.BUSY, reason + "; try again with the same Idempotency-Key")
                        .retryAfter(wait)
                        .elsewhere(owner)
                        .exception();
        };
    }

    private static CallRequest request(
            Call call, RunId run, Command command, List<StoredPayload> payloads, Optional<String> key)
            throws ProblemException {
        return new CallRequest(
                new RunKey(call.tenant(), run),
                command,
                payloads,
                call.caller().principal(),
                Optional.of("scope:" + call.route().scope()),
                key,
                // Only who repeats a key is compared.
                key.isPresent() ? digest(call) : Sha256.ZERO,
                call.correlation());
    }

    /** Of everything that makes one request another: who asks, what, with which body, however that is spelled. */
    private static Sha256 digest(Call call) throws ProblemException {
        StringBuilder text = new StringBuilder();
        text.append(call.caller().principal()).append('\n').append(call.route());
        for (Map.Entry<String, String> variable : new TreeMap<>(call.variables()).entrySet()) {
            text.append('\n').append(variable.getValue());
        }
        byte[] body = call.body().isPresent()
                ? CanonicalJson.exact(call.requiredBody().object().json())
                : new byte[0];
        return Sha256.digest(text.append('\n').toString().getBytes(StandardCharsets.UTF_8), body);
    }

    private CallAnswer wait(CallRequest request) {
        try {
            return engine.call(request).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new CallAnswer.Busy("no answer within " + PATIENCE.toSeconds() + " s", PATIENCE);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CallAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }

    /** What every mutation of a run answers, beside what it has to say itself. */
    static Reply reply(Done done, JsonObject.Builder own) {
        List<JsonValue> kinds = done.events().stream()
                .limit(SHOWN)
                .<JsonValue>map(event -> new JsonString(event.kind()))
                .toList();
        JsonObject json = own.put("executionId", done.run().toString())
                .put("lastSeq", done.lastSequence())
                .put("events", new JsonArray(kinds))
                .put("repeated", done.repeated())
                .put("buffered", done.buffered())
                .build();
        return Reply.json(200, json)
                .etag("s" + done.lastSequence())
                .header(Reply.LAST_SEQ, Long.toString(done.lastSequence()));
    }
}
