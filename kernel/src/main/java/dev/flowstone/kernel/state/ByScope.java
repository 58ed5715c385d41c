package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers by the scope instance that they belong to, so that what a scope holds is found without a look at anything else
 * (R6). The root, which nothing ever closes, is left out: programs without nested scopes pay nothing.
 */
record ByScope(LongMap<LongMap<Boolean>> scopes) {
    static final ByScope EMPTY = new ByScope(LongMap.empty());

    ByScope with(int scope, long number) {
        if (scope <= ScopeInstance.ROOT) {
            return this;
        }
        LongMap<Boolean> known = scopes.get(scope);
        LongMap<Boolean> base = known == null ? LongMap.empty() : known;
        return new ByScope(scopes.with(scope, base.with(number, true)));
    }

    ByScope without(int scope, long number) {
        LongMap<Boolean> known = scope <= ScopeInstance.ROOT ? null : scopes.get(scope);
        if (known == null) {
            return this;
        }
        LongMap<Boolean> rest = known.without(number);
        return new ByScope(rest.isEmpty() ? scopes.without(scope) : scopes.with(scope, rest));
    }

    /** The smallest number of a scope that is larger than this one, or -1. */
    long next(int scope, long after) {
        LongMap<Boolean> known = known(scope);
        return known == null ? -1 : known.nextKey(after);
    }

    private @Nullable LongMap<Boolean> known(int scope) {
        return scope < 0 ? null : scopes.get(scope);
    }
}
