package dev.flowstone.server.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One call of a route.
 *
 * @param path below {@code /api/v1}, its segments encoded
 * @param idempotencyKey under which the call may be repeated
 * @param revision that must be the present one, or nothing is done ({@code If-Match}); 0 says that there must be nothing yet
 */
public record ServerCall(
        String method,
        String path,
        Map<String, String> query,
        Optional<JsonObject> body,
        Optional<String> idempotencyKey,
        OptionalLong revision) {
    public ServerCall {
        requireNonNull(method);
        requireNonNull(path);
        query = Map.copyOf(query);
        requireNonNull(body);
        requireNonNull(idempotencyKey);
        requireNonNull(revision);
    }

    /** Without body, query or condition. */
    public static ServerCall of(String method, String path) {
        return new ServerCall(method, path, Map.of(), Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    public ServerCall asking(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(query);
        more.put(name, value);
        return new ServerCall(method, path, more, body, idempotencyKey, revision);
    }

    public ServerCall with(JsonObject content) {
        return new ServerCall(method, path, query, Optional.of(content), idempotencyKey, revision);
    }

    public ServerCall under(String key) {
        return new ServerCall(method, path, query, body, Optional.of(key), revision);
    }

    public ServerCall at(long present) {
        return new ServerCall(method, path, query, body, idempotencyKey, OptionalLong.of(present));
    }
}
