package dev.flowstone.server.effect;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a run is told of a call: an output, or a failure with its class. Tried again is what may go better another time: no answer, 408,
 * 425, 429 and 5xx.
 */
final class HttpResults {
    private static final Set<Integer> BETTER_LATER = Set.of(408, 425, 429);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 5;
    private static final int EXCERPT = 1_000;

    private HttpResults() {}

    static TaskResult of(HttpCall call, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answer answer ->
                call.expected().includes(answer.status()) ? output(call, answer) : unexpected(call, answer);
            case Outcome.Failure failure -> failed(failure);
        };
    }

    private static TaskResult output(HttpCall call, Outcome.Answer answer) {
        if (!call.hidden().isNothing() && call.form() != ResponseForm.NONE && ResponseBody.isCompressed(answer)) {
            return TaskResult.permanent(
                    "RESPONSE_ENCODED",
                    call.origin() + " answered " + answer.status()
                            + " with a Content-Encoding that nobody asked for, in which the secret that was sent can't be"
                            + " looked for; take response: none");
        }
        Optional<ResponseBody> body = ResponseBody.of(answer, call.form());
        if (body.isEmpty()) {
            return TaskResult.permanent(
                    "RESPONSE_NOT_JSON",
                    call.origin() + " answered " + answer.status() + " with "
                            + (answer.truncated()
                                    ? "more than is kept of a body; raise outbound.maxResponseBytes"
                                    : "what is no JSON; take response: auto to see what it is"));
        }
        return TaskResult.ok(JsonObject.builder()
                .put("status", answer.status())
                .put("headers", call.hidden().in(headers(answer.headers())))
                .put("body", call.hidden().in(body.get().value(), answer.truncated()))
                .put("bodyIs", body.get().is())
                .put("truncated", answer.truncated())
                .build());
    }

    private static JsonObject headers(List<HttpHeader> headers) {
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        for (HttpHeader header : headers) {
            values.computeIfAbsent(header.name().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                    .add(new JsonString(header.value()));
        }
        JsonObject.Builder json = JsonObject.builder();
        values.forEach((name, all) -> json.put(name, all.size() == 1 ? all.getFirst() : new JsonArray(all)));
        return json.build();
    }

    private static TaskResult unexpected(HttpCall call, Outcome.Answer answer) {
        int status = answer.status();
        boolean later = BETTER_LATER.contains(status) || status / 100 == SERVER_ERROR;
        boolean limited =
                later && (status == TOO_MANY_REQUESTS || answer.retryAfter().isPresent());
        JsonObject details = JsonObject.builder()
                .put("status", status)
                .putIfPresent(
                        "body",
                        ResponseBody.readable(answer)
                                .flatMap(text ->
                                        Excerpt.of(text, answer.truncated(), call.request(), call.hidden(), EXCERPT)))
                .build();
        String message = call.origin()
                + (answer.redirects() == 0
                        ? " answered "
                        : ", redirected " + answer.redirects() + " times, ended with ")
                + status
                + answer.retryAfter()
                        .map(pause -> " and wants to be left alone for " + pause.toSeconds() + " s")
                        .orElse("");
        return new TaskResult.Failed(
                later ? (limited ? FailureClass.EXTERNAL_LIMIT : FailureClass.RETRYABLE) : FailureClass.PERMANENT,
                new TaskError("HTTP_" + status, message, details),
                later ? answer.retryAfter() : Optional.empty());
    }

    private static TaskResult failed(Outcome.Failure failure) {
        return switch (failure) {
            case Outcome.Refused refused -> refused(refused);
            case Outcome.TooManyRedirects _ -> TaskResult.permanent(failure.code(), failure.message());
            case Outcome.TlsFailed tls ->
                tls.untrusted()
                        ? TaskResult.permanent(failure.code(), failure.message())
                        : TaskResult.retryable(failure.code(), failure.message());
            case Outcome.Unresolved _, Outcome.Unreachable _, Outcome.TimedOut _, Outcome.Broken _ ->
                TaskResult.retryable(failure.code(), failure.message());
        };
    }

    private static TaskResult refused(Outcome.Refused refused) {
        return switch (refused.refusal()) {
            case METHOD -> InvalidParameterException.result("/method", refused.message());
            case HEADER -> InvalidParameterException.result("/headers", refused.message());
            case URL, SCHEME, USERINFO, HOST, ENCODED_ADDRESS, PORT ->
                refused.unsent()
                        ? InvalidParameterException.result("/url", refused.message())
                        : TaskResult.permanent("REDIRECT_REFUSED", refused.message());
            case DOWNGRADE, BODY_TO_OTHER_HOST -> TaskResult.permanent("REDIRECT_REFUSED", refused.message());
            case HOST_DENIED,
                    PORT_DENIED,
                    NETWORK_DENIED,
                    LOOPBACK,
                    OWN,
                    PRIVATE,
                    LINK_LOCAL,
                    METADATA,
                    SHARED,
                    UNSPECIFIED,
                    MULTICAST,
                    RESERVED,
                    DOCUMENTATION,
                    BENCHMARK,
                    TUNNEL -> TaskResult.permanent("ADDRESS_REFUSED", refused.message());
        };
    }
}
