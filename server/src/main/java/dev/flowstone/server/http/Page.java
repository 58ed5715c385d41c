package dev.flowstone.server.http;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A keyset page.
 *
 * @param next cursor to the following page, opaque to clients; empty at the end
 */
public record Page(List<JsonValue> items, Optional<String> next) {
    /** Query parameters of every list. */
    public static final String LIMIT = "limit";

    public static final String AFTER = "after";

    /** What the specification calls the same; a route that takes one takes the other. */
    public static final String CURSOR = "cursor";

    public static final int MOST = 200;
    private static final int DEFAULT = 50;

    /** How many items a page has at most, as a parameter. */
    public static final Parameter LIMIT_PARAMETER =
            Parameter.number(LIMIT, 1, MOST, "How many items the page has at most; " + DEFAULT + " if left out.");

    static final List<Parameter> PARAMETERS = List.of(
            LIMIT_PARAMETER,
            cursor(CURSOR, "The `next` of the page before; the first page if left out."),
            cursor(AFTER, "The older name of `cursor`; send one of them.").old());

    public Page {
        items = List.copyOf(items);
    }

    /** Where a page before ended, as a parameter of this name. */
    public static Parameter cursor(String name, String says) {
        return Parameter.cursor(name, says);
    }

    public static int limit(Query query) throws ProblemException {
        return query.number(LIMIT, 1, MOST).orElse(DEFAULT);
    }

    /** The key that a cursor stands for. */
    public static Optional<String> key(Query query, String parameter) throws ProblemException {
        Optional<String> cursor = query.text(parameter);
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(cursor.get()), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw badCursor(parameter);
        }
    }

    /** The number that a cursor stands for. */
    public static Optional<Long> number(Query query, String parameter) throws ProblemException {
        Optional<String> key = key(query, parameter);
        if (key.isPresent() && !key.get().matches("[0-9]{1,18}")) {
            throw badCursor(parameter);
        }
        return key.map(Long::parseLong);
    }

    public static String cursor(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    public static ProblemException badCursor(String parameter) {
        String word = parameter.equals(AFTER) ? CURSOR : parameter;
        return Query.refused("'" + word + "' is no cursor of this list: send the 'next' of the page before");
    }

    public JsonObject toJson() {
        return JsonObject.builder()
                .put("items", new JsonArray(items))
                .put("next", next.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL))
                .build();
    }
}
