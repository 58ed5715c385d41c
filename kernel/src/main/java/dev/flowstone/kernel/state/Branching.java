package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import org.jspecify.annotations.Nullable;

/** What branches remember of their way (R10). */
final class Branching {
    private Branching() {}

    /** An activation has its result: every branch around it remembers that. */
    static void noted(Draft draft, int number, Place place, Outcome outcome, @Nullable Payload result) {
        for (int at = number; at > ScopeInstance.ROOT; at = Scopes.parent(draft, at)) {
            ScopeInstance scope = draft.tree.scopes.get(at);
            BranchState branch = scope == null ? null : scope.branch();
            if (scope != null && branch != null) {
                Outcome human = place.node() instanceof Node.HumanTask ? outcome : branch.human();
                BranchState noted = branch.outcomes(human, outcome);
                if (result != null) {
                    draft.weight +=
                            Weight.of(result) - Weight.of(branch.results().get(place.number()));
                    noted = noted.results(place.number(), noted.results().with(place.number(), result));
                }
                Scopes.put(draft, scope.with(noted));
            }
        }
    }

    /** An edge to the join was taken; a kept branch's arrival only ends its token. */
    static void arrived(Draft draft, int number, EdgeId edge) {
        ScopeInstance scope = draft.tree.scopes.get(number);
        if (scope != null && scope.branch() != null && !scope.isKept()) {
            Scopes.put(draft, scope.with(scope.branch().arrived(edge)));
        }
    }

    /** An unhandled failure in a branch that lets failures arrive (R23). */
    static void failed(Draft draft, int number) {
        ScopeInstance scope = draft.tree.scopes.get(number);
        if (scope != null && scope.branch() != null && !scope.isKept()) {
            Scopes.put(draft, scope.with(scope.branch().withFailure()));
        }
    }

    /** It lives on at the side of the run, and takes along what its expressions see of the scopes around it. */
    static void keep(Draft draft, ScopeInstance scope, BranchState branch) {
        LongMap<Payload> seen = LongMap.empty();
        BranchState item = draft.tree().itemAround(scope.number());
        for (int at = scope.number(); at > ScopeInstance.ROOT; at = Scopes.parent(draft, at)) {
            ScopeInstance around = draft.tree.scopes.get(at);
            if (around != null && around.branch() != null) {
                seen = merged(seen, around.branch().results());
            }
        }
        JsonValue element = item == null ? null : item.item();
        BranchState kept = branch.kept(element, item == null ? 0 : item.itemIndex(), seen);
        draft.weight += Weight.of(kept) - Weight.of(branch);
        draft.tree.nested = draft.tree.nested.without(scope.parent(), scope.number());
        Scopes.alive(draft, ScopeInstance.ROOT, 1);
        Scopes.put(draft, scope.with(kept).movedTo(ScopeInstance.ROOT));
        Scopes.alive(draft, scope.parent(), -1);
    }

    private static LongMap<Payload> merged(LongMap<Payload> inner, LongMap<Payload> outer) {
        LongMap<Payload> all = inner;
        for (long key = outer.nextKey(-1); key >= 0; key = outer.nextKey(key)) {
            Payload result = outer.get(key);
            if (result != null && all.get(key) == null) {
                all = all.with(key, result);
            }
        }
        return all;
    }
}
