package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
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
 * @param patience for how long its answer is waited for
 */
@SuppressWarnings("ArrayRecordComponent")
public record Forwarded(
        Method method,
        String target,
        Map<String, String> headers,
        byte[] body,
        Caller caller,
        String correlation,
        Duration patience) {
    /** Longer than any route waits for the engine. */
    public static final Duration PATIENCE = Duration.ofSeconds(40);

    /** What a route may read; who calls is told in another way, and the rest is this connection's. */
    private static final List<String> HEADERS = List.of(Border.IDEMPOTENCY_KEY, "If-Match", "traceparent");

    public Forwarded {
        requireNonNull(method);
        requireNonNull(target);
        headers = Map.copyOf(headers);
        requireNonNull(body);
        requireNonNull(caller);
        requireNonNull(correlation);
        requireNonNull(patience);
    }

    static Forwarded of(Request request, Call call) {
        return of(
                call,
                call.route().method(),
                target(request),
                call.body().map(Body::bytes).orElseGet(() -> new byte[0]),
                PATIENCE);
    }

    /** Another question of the same caller. */
    public static Forwarded of(Call call, Method method, String target, byte[] body, Duration patience) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : HEADERS) {
            Optional<String> value = call.headers().first(name);
            value.ifPresent(it -> headers.put(name, it));
        }
        return new Forwarded(method, target, headers, body, call.caller(), call.correlation(), patience);
    }

    private static String target(Request request) {
        return request.rawQuery().isEmpty() ? request.rawPath() : request.rawPath() + "?" + request.rawQuery();
    }
}
