package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Method;
import dev.flowstone.server.http.Percent;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Scope;
import dev.flowstone.triggers.condition.Activation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts of triggers at the nodes that have their shards: the start is sent on, not what came for the trigger, which is claimed and
 * judged already. Thread-safe; blocks.
 */
public final class RemoteStarts {
    /** Of those whom others wait for, too. */
    static final Duration SHORT_PATIENCE = Duration.ofSeconds(10);

    /** What is refused with that may be otherwise soon. */
    static final Set<String> FOR_NOW = Set.of(
            ProblemCode.BUSY.name(),
            ProblemCode.UNAVAILABLE.name(),
            ProblemCode.QUOTA_EXCEEDED.name(),
            ProblemCode.RATE_LIMITED.name(),
            ProblemCode.SIGNAL_BUFFER_FULL.name(),
            ProblemCode.SUSPENDED.name());

    /** What nodes that don't let each other in refuse with: it is about them, and not about what is sent. */
    private static final Set<ProblemCode> SHUT = Set.of(ProblemCode.UNAUTHENTICATED, ProblemCode.FORBIDDEN);

    private static final int SIGNALED = 202;
    private static final String TRACE = "traceparent";

    private final Forwarder forwarder;

    public RemoteStarts(Forwarder forwarder) {
        this.forwarder = requireNonNull(forwarder);
    }

    /** What was answered there, within {@link #SHORT_PATIENCE}; empty if it certainly wasn't asked. */
    Optional<Reply> start(Member owner, Trigger trigger, String requestId, JsonValue payload, String correlation) {
        return start(owner, trigger, requestId, payload, correlation, Optional.empty(), SHORT_PATIENCE);
    }

    /**
     * What was answered there; empty if it certainly wasn't asked.
     *
     * @param trace of which the start is a part, as {@code traceparent}
     */
    public Optional<Reply> start(
            Member owner,
            Trigger trigger,
            String requestId,
            JsonValue payload,
            String correlation,
            Optional<String> trace) {
        return start(owner, trigger, requestId, payload, correlation, trace, Forwarded.PATIENCE);
    }

    private Optional<Reply> start(
            Member owner,
            Trigger trigger,
            String requestId,
            JsonValue payload,
            String correlation,
            Optional<String> trace,
            Duration patience) {
        JsonObject body = JsonObject.builder()
                .put("requestId", requestId)
                .put("trigger", payload)
                .build();
        String workflow = Percent.segment(trigger.target().workflow().value());
        return ask(
                owner,
                trigger,
                Scope.WORKFLOWS_EXECUTE,
                "/api/v1/workflows/" + workflow + "/execute",
                body,
                correlation,
                trace,
                patience);
    }

    private Optional<Reply> ask(
            Member owner,
            Trigger trigger,
            Scope scope,
            String path,
            JsonObject body,
            String correlation,
            Optional<String> trace,
            Duration patience) {
        Caller caller = new Caller(
                Caller.Standing.TENANT,
                trigger.key().tenant(),
                Launcher.actor(trigger),
                Set.of(),
                Set.of(Scope.PUBLIC, scope));
        Map<String, String> headers = trace.map(it -> Map.of(TRACE, it)).orElse(Map.of());
        return forwarder.forward(
                owner,
                new Forwarded(Method.POST, path, headers, CanonicalJson.exact(body), caller, correlation, patience));
    }

    /** Has a signal sent there; empty if it certainly wasn't asked. */
    public Optional<Result> signal(
            Launched.Way way, Trigger trigger, Arrival arrival, JsonValue event, String correlation) {
        return askForSignal(way, trigger, arrival, event, correlation, Forwarded.PATIENCE)
                .map(reply -> signaled(reply, way));
    }

    /** What {@link #askForSignal} says of the arrival. */
    static Result signaled(Reply reply, Launched.Way way) {
        return reply.status() == SIGNALED ? Result.signaled(Launched.signaled(way.type(), way.key())) : result(reply);
    }

    /** The same; answers what was answered there, for {@link #signaled}. */
    Optional<Reply> askForSignal(
            Launched.Way way,
            Trigger trigger,
            Arrival arrival,
            JsonValue event,
            String correlation,
            Duration patience) {
        JsonObject body = JsonObject.builder()
                .put("type", way.type())
                .put("key", way.key())
                .put("payload", Activation.data(event))
                .put("dedupe", Launcher.requestId(arrival))
                .build();
        return ask(
                way.owner(),
                trigger,
                Scope.SIGNALS_WRITE,
                "/api/v1/signals",
                body,
                correlation,
                Optional.empty(),
                patience);
    }

    /** What another node's answer says of the arrival; refused without a code if nobody understands it. */
    public static Result result(Reply reply) {
        JsonObject told = reply.object().orElse(JsonObject.EMPTY);
        try {
            return switch (reply.status()) {
                case 202 -> Result.started(RunId.parse(text(told, "executionId")));
                case 200 -> Result.repeated(RunId.parse(text(told, "executionId")));
                default -> Result.refused(text(told, "code"), text(told, "detail"));
            };
        } catch (IllegalArgumentException e) {
            return Result.refused("", "an answer of status " + reply.status() + " that names no execution");
        }
    }

    /** Whether another node has failed at what it was asked for, as this one may: its answer is nothing that a sender could mend. */
    public static boolean isFault(Result there) {
        String code = there.code().orElse("");
        return there.outcome() == Result.Outcome.REFUSED
                && !FOR_NOW.contains(code)
                && ProblemCode.of(code)
                        .map(it -> it.status() >= ProblemCode.INTERNAL.status() || SHUT.contains(it))
                        .orElse(true);
    }

    private static String text(JsonObject json, String member) {
        return json.get(member) instanceof JsonString(String text) ? text : "";
    }
}
