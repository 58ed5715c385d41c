package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.client.Call.Repeat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A call of any route, for those that the areas have no method for: {@code RouteCall.of("POST", "/api/v1/executions/" + id + "/skip")}. What
 * repeating it does is the caller's to say: {@code GET} is repeated as reading is; anything else only if it can't have been done, a
 * {@code DELETE} too, which may find what somebody has made anew meanwhile, until {@link #keyed}, {@link #atRevision} or {@link #repeatable} says that it does no harm.
 */
public final class RouteCall {
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final Pattern PATH = Pattern.compile("/[!-~&&[^?#\\\\]]*");

    private final Call call;
    private final Call.Query query;
    private final boolean keyed;

    private RouteCall(Call call, Call.Query query, boolean keyed) {
        this.call = call;
        this.query = query;
        this.keyed = keyed;
    }

    /**
     * Without a body, a query or a key.
     *
     * @param method {@code GET}, {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
     * @param path from the server's address on, such as {@code /api/v1/executions}, its segments encoded ({@link #segment})
     * @throws IllegalArgumentException if it is none of these
     */
    public static RouteCall of(String method, String path) {
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("a method is one of GET, POST, PUT, PATCH and DELETE");
        }
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException("a path begins with '/' and is encoded, without its query");
        }
        Repeat repeat = method.equals("GET") ? Repeat.HARMLESS : Repeat.DOES_MORE;
        return new RouteCall(Call.of(method, path, repeat), new Call.Query(), false);
    }

    /**
     * A name as a segment of a path.
     *
     * @throws IllegalArgumentException if it would lead elsewhere
     */
    public static String segment(String name) {
        return Call.segment(name);
    }

    /** A parameter of the query; the last of a name counts. */
    public RouteCall asking(String name, String value) {
        return new RouteCall(call, query.copy().add(name, Optional.of(value)), keyed);
    }

    /** With this body. */
    public RouteCall with(JsonNode json) {
        return new RouteCall(call.with(requireNonNull(json)), query, keyed);
    }

    /**
     * Under an {@code Idempotency-Key}, that of {@link FlowstoneClient#underKey} or one of its own, and repeated: for routes that take one,
     * and for no others, which would do it again.
     */
    public RouteCall keyed() {
        return new RouteCall(call, query, true);
    }

    /** Only at this revision ({@code If-Match}), and repeated: for routes that take one, and for no others, which would do it again. */
    public RouteCall atRevision(long expected) {
        return new RouteCall(call.at(Optional.of(expected)), query, keyed);
    }

    /** It does no harm if it is done twice. */
    public RouteCall repeatable() {
        return new RouteCall(call.repeating(Repeat.HARMLESS), query, keyed);
    }

    /** @param key that somebody has chosen */
    Call call(Optional<String> key) {
        Call asking = call.on(query.on(call.path()));
        return keyed ? asking.keyed(key) : asking;
    }

    @Override
    public String toString() {
        return call.method() + " " + call.path();
    }
}
