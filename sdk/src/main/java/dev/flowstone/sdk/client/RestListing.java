package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Function;

/** A list at a path. */
final class RestListing<T> implements Listing<T> {
    private static final int MOST = 200;

    private final Caller caller;
    private final String path;
    private final Call.Query filter;
    private final Function<Tree, T> item;

    RestListing(Caller caller, String path, Call.Query filter, Function<Tree, T> item) {
        this.caller = requireNonNull(caller);
        this.path = requireNonNull(path);
        this.filter = requireNonNull(filter);
        this.item = requireNonNull(item);
    }

    @Override
    public Page<T> page(int limit, Optional<String> cursor) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("a page has 1 to " + MOST + " items");
        }
        Call.Query query = filter.copy().add("limit", Optional.of(limit)).add("cursor", cursor);
        return caller.read(
                Call.get(query.on(path)), tree -> new Page<>(tree.list("items", item), tree.maybeText("next")));
    }
}
