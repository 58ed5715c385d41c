package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Pages of what has an id, in the order of ids. */
final class CatalogPages {
    private CatalogPages() {}

    /** The id that the page before ended with. */
    static Optional<String> after(Call call) throws ProblemException {
        Optional<String> key = Page.key(call.query(), Page.AFTER);
        if (key.filter(it -> it.indexOf('\0') >= 0).isPresent()) {
            throw Page.badCursor(Page.AFTER);
        }
        return key;
    }

    /** @param found one more than the page may have, if there are more */
    static <T> Reply page(List<T> found, int limit, Function<T, String> id, Function<T, JsonValue> json) {
        List<JsonValue> items = found.stream().limit(limit).map(json).toList();
        Optional<String> next =
                found.size() > limit ? Optional.of(Page.cursor(id.apply(found.get(limit - 1)))) : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }
}
