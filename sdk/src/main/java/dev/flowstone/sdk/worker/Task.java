package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.ServerAnswer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The attempt that a handler makes, and what it may ask meanwhile. */
public final class Task {
    private final Held held;
    private final JsonMapper json;

    Task(Held held, JsonMapper json) {
        this.held = requireNonNull(held);
        this.json = requireNonNull(json);
    }

    public String executionId() {
        return held.offer.executionId();
    }

    public String workflowId() {
        return held.offer.workflowId();
    }

    /** The visit of a node, such as {@code charge#1}. */
    public String activation() {
        return held.offer.activation();
    }

    /** From 1. */
    public int attempt() {
        return held.offer.attempt();
    }

    public String action() {
        return held.offer.action();
    }

    /** The same for every attempt of this activation: hand it to the other side, which then drops repetitions. */
    public String key() {
        return held.offer.key();
    }

    public String correlation() {
        return held.offer.correlation();
    }

    /** After which the attempt counts as failed; it is interrupted then. */
    public Duration timeout() {
        return held.offer.timeout();
    }

    /** Whether nobody wants its result any more: it should end early, in good order. */
    public boolean isCanceled() {
        return held.isCanceled() || held.isGone();
    }

    /** Names what this attempt has made, or found, outside; recorded together with its success. */
    public void made(Link link) {
        held.link(requireNonNull(link));
    }

    /**
     * Names, durably and at once, what this attempt is about to make outside. The first execution that does so owns it: ask
     * {@link #find} who that is before you make it.
     *
     * @throws TaskFailure if the server doesn't take it: the attempt has timed out or is settled, or nobody can say now
     */
    public void claim(Link link) throws TaskFailure, InterruptedException {
        ObjectNode body = json.createObjectNode().put("attempt", attempt());
        body.set("links", links(json, List.of(link)));
        String path = "/api/v1/executions/" + encoded(executionId()) + "/tasks/" + encoded(activation()) + "/links";
        ServerAnswer answer = held.server.post(path, json.writeValueAsBytes(body), Span.ANSWER);
        if (!(answer instanceof ServerAnswer.Ok)) {
            throw failure("LINK_NOT_CLAIMED", answer);
        }
    }

    /**
     * Whose a thing outside is; empty if nobody has linked it yet. A claim is seen here a moment after it was made.
     *
     * @throws TaskFailure if nobody can say now
     */
    public Optional<FoundLink> find(String type, String key) throws TaskFailure, InterruptedException {
        ServerAnswer answer =
                held.server.get("/api/v1/links?type=" + encoded(type) + "&key=" + encoded(key), Span.ANSWER);
        return switch (answer) {
            case ServerAnswer.Ok(var body) ->
                Optional.of(new FoundLink(body.path("executionId").asString(""), body.path("content")));
            case ServerAnswer.Refused refused when refused.code().equals("NOT_FOUND") -> Optional.empty();
            case ServerAnswer.Refused _, ServerAnswer.Silence _ -> throw failure("LINK_NOT_READ", answer);
        };
    }

    private static TaskFailure failure(String code, ServerAnswer answer) {
        return switch (answer) {
            case ServerAnswer.Refused refused
            when !refused.passes() -> TaskFailure.permanent(code, refused.code() + ": " + refused.detail());
            case ServerAnswer.Refused refused -> TaskFailure.retryable(code, refused.code() + ": " + refused.detail());
            case ServerAnswer.Silence(String why) -> TaskFailure.retryable(code, why);
            case ServerAnswer.Ok _ -> throw new IllegalStateException("an answer is no failure");
        };
    }

    static ArrayNode links(JsonMapper json, List<Link> links) {
        ArrayNode all = json.createArrayNode();
        for (Link link : links) {
            ObjectNode one = json.createObjectNode().put("type", link.type()).put("key", link.key());
            one.set("content", json.valueToTree(link.content()));
            all.add(one);
        }
        return all;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
