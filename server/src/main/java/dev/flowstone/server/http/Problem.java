package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A refusal, as RFC 9457 writes it.
 *
 * @param detail what was wrong with this call and what to do, in a sentence
 * @param faults of a document, each with its place
 * @param missingActions the actions that the document names and nobody offers, each once
 * @param retryAfter when trying again makes sense
 * @param headers that go with it
 * @param more members beside the standard's
 * @param owner the node that can do what this one can't; callers aren't told
 */
public record Problem(
        ProblemCode code,
        String detail,
        List<Fault> faults,
        List<String> missingActions,
        Optional<Duration> retryAfter,
        Map<String, String> headers,
        JsonObject more,
        Optional<Member> owner) {
    static final String MEDIA_TYPE = "application/problem+json";

    /** Where a code's page is, before the code. */
    private static final String HELP = "/api/v1/problems/";

    public Problem {
        requireNonNull(code);
        requireNonNull(detail);
        faults = List.copyOf(faults);
        missingActions = List.copyOf(missingActions);
        requireNonNull(retryAfter);
        headers = Map.copyOf(headers);
        requireNonNull(more);
        requireNonNull(owner);
    }

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(
                code, detail, List.of(), List.of(), Optional.empty(), Map.of(), JsonObject.EMPTY, Optional.empty());
    }

    public static Problem of(ProblemCode code, String detail, List<Fault> faults) {
        return new Problem(
                code, detail, faults, List.of(), Optional.empty(), Map.of(), JsonObject.EMPTY, Optional.empty());
    }

    public Problem missing(List<String> actions) {
        return new Problem(code, detail, faults, actions, retryAfter, headers, more, owner);
    }

    public Problem retryAfter(Duration wait) {
        return new Problem(code, detail, faults, missingActions, Optional.of(wait), headers, more, owner);
    }

    /** Of this node only: that one can. */
    public Problem elsewhere(Optional<Member> node) {
        return new Problem(code, detail, faults, missingActions, retryAfter, headers, more, node);
    }

    /** With these members beside the standard's. */
    public Problem with(JsonObject members) {
        return new Problem(code, detail, faults, missingActions, retryAfter, headers, members, owner);
    }

    public Problem header(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Problem(code, detail, faults, missingActions, retryAfter, all, more, owner);
    }

    public ProblemException exception() {
        return new ProblemException(this);
    }

    /** As it goes back, in answer to the call of this correlation. */
    public Reply reply(String correlation) {
        JsonObject.Builder json = JsonObject.builder()
                .put("type", "urn:flowstone:problem:" + code.name())
                .put("title", code.title())
                .put("status", code.status())
                .put("detail", detail)
                .put("code", code.name())
                .put("category", code.category())
                .put("help", HELP + code.name())
                .put("correlationId", correlation);
        retryAfter.ifPresent(wait -> json.put("retryAfterSeconds", seconds(wait)));
        if (!faults.isEmpty()) {
            List<JsonValue> items =
                    faults.stream().<JsonValue>map(Fault::toJson).toList();
            json.put("faults", new JsonArray(items));
        }
        if (!missingActions.isEmpty()) {
            List<JsonValue> names =
                    missingActions.stream().<JsonValue>map(JsonString::new).toList();
            json.put("missingActions", new JsonArray(names));
        }
        more.members().forEach(json::put);
        Reply reply = Reply.json(code.status(), json.build())
                .mediaType(MEDIA_TYPE)
                .header("Link", "<" + HELP + code.name() + ">; rel=\"help\"");
        for (Map.Entry<String, String> header : headers.entrySet()) {
            reply = reply.header(header.getKey(), header.getValue());
        }
        return retryAfter.isPresent() ? reply.header("Retry-After", Long.toString(seconds(retryAfter.get()))) : reply;
    }

    private static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
