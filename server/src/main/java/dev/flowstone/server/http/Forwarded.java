package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call that was let in here and is to be answered elsewhere.
 *
 * @param target path and query as they came, still percent-encoded
 * @param headers that mean something to a route
 * @param body never change it
 */
@SuppressWarnings("ArrayRecordComponent")
public record Forwarded(
        Method method, String target, Map<String, String> headers, byte[] body, Caller caller, String correlation) {
    /** What a route may read; who calls is told in another way, and the rest is this connection's. */
    private static final List<String> HEADERS = List.of(
            "Accept", Border.IDEMPOTENCY_KEY, "If-Match", "If-None-Match", "traceparent", "tracestate");

    public Forwarded {
        requireNonNull(method);
        requireNonNull(target);
        headers = Map.copyOf(headers);
        requireNonNull(body);
        requireNonNull(caller);
        requireNonNull(correlation);
    }

    static Forwarded of(Request request, Call call) {
        return of(call, target(request), call.body().map(Body::bytes).orElseGet(() -> new byte[0]));
    }

    /** The call's route, which has no variables, with another body. */
    public static Forwarded of(Call call, byte[] body) {
        return of(call, call.route().path(), body);
    }

    /** A look at something else, by the same caller. */
    public static Forwarded get(Call call, String path) {
        return new Forwarded(Method.GET, path, Map.of(), new byte[0], call.caller(), call.correlation());
    }

    private static Forwarded of(Call call, String target, byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : HEADERS) {
            Optional<String> value = call.headers().first(name);
            value.ifPresent(it -> headers.put(name, it));
        }
        return new Forwarded(call.route().method(), target, headers, body, call.caller(), call.correlation());
    }

    private static String target(Request request) {
        return request.rawQuery().isEmpty() ? request.rawPath() : request.rawPath() + "?" + request.rawQuery();
    }
}
