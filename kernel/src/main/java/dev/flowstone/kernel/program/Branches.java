package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;

/** What a fork opens (R10): one scope for each branch. */
public sealed interface Branches {
    /** The scopes of its branches, each once for each time that it is named. */
    default List<ScopeId> scopes() {
        return switch (this) {
            case Static named -> named.branches().stream().map(Branch::scope).toList();
            case Each each -> List.of(each.scope());
        };
    }

    /** Named branches, in this order. */
    record Static(List<Branch> branches) implements Branches {
        public Static {
            branches = List.copyOf(branches);
        }
    }

    /** A branch and the scope that holds its nodes. */
    record Branch(String name, ScopeId scope) {
        public Branch {
            requireNonNull(name);
            requireNonNull(scope);
        }
    }

    /**
     * One branch for each element of a collection, each an instance of the same scope, which sees its element as
     * root "item" and its place from 0 as "index".
     *
     * @param items a template that renders to a list; null and a missing value count as empty
     * @param window how many may live at once; at least 1, and {@link #WIDEST} at most where a program is made
     */
    record Each(JsonValue items, ScopeId scope, int window) implements Branches {
        /** The largest window that a new program may have; an older one may hold another. */
        public static final int WIDEST = 10_000;

        public Each {
            requireNonNull(items);
            requireNonNull(scope);
            if (window < 1) {
                throw new IllegalArgumentException("a window holds at least 1 branch, not " + window);
            }
        }
    }
}
