package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Outcome;
import org.jspecify.annotations.Nullable;

/** Decisions that wait for a gate to use them (R15). Those that no gate could use are not kept. */
final class Verdicts {
    private Verdicts() {}

    static void keep(Draft draft, Activation activation, Outcome outcome) {
        Verdict.Key key = key(draft, activation.id().node(), activation.scope());
        if (key != null) {
            drop(draft, key);
            draft.people.verdicts = draft.people.verdicts.with(
                    key, new Verdict(activation.id(), outcome, key.scope(), activation.earlier()));
            draft.weight += Weight.VERDICT;
        }
    }

    /** What a gate may use, or null. */
    static @Nullable Verdict find(Draft draft, NodeId human, Activation gate) {
        Verdict.Key key = key(draft, human, gate.scope());
        return key == null ? null : draft.people.verdicts.get(key);
    }

    static void applied(Draft draft, NodeId human, Activation gate) {
        Verdict.Key key = key(draft, human, gate.scope());
        if (key != null) {
            drop(draft, key);
        }
    }

    /** All are void; that each of them is will be told by an event of its own. */
    static void voidAll(Draft draft) {
        SortedTree<Verdict.Key, Verdict> all = draft.people.verdicts;
        for (Verdict earlier : draft.people.voided.values()) {
            if (all.get(earlier.key()) != null) {
                draft.weight -= Weight.VERDICT;
            } else {
                all = all.with(earlier.key(), earlier);
            }
        }
        draft.people.voided = all;
        draft.people.verdicts = SortedTree.empty();
    }

    /** It has been told that this one is void. */
    static void told(Draft draft, ActivationId decided) {
        Verdict.Key first = draft.people.voided.firstKey();
        Verdict verdict = first == null ? null : draft.people.voided.get(first);
        if (first != null && verdict != null && verdict.decided().equals(decided)) {
            draft.people.voided = draft.people.voided.without(first);
            draft.weight -= Weight.VERDICT;
        }
    }

    static void closed(Draft draft, ScopeInstance scope) {
        for (NodeId human : draft.topology.gatedIn(scope.scope().id())) {
            drop(draft, new Verdict.Key(scope.number(), human));
        }
    }

    private static void drop(Draft draft, Verdict.Key key) {
        if (draft.people.verdicts.get(key) != null) {
            draft.people.verdicts = draft.people.verdicts.without(key);
            draft.weight -= Weight.VERDICT;
        }
    }

    private static Verdict.@Nullable Key key(Draft draft, NodeId human, int scope) {
        ScopeId kept = draft.topology.gatedScope(human);
        if (kept == null) {
            return null;
        }
        int at = scope;
        while (at != ScopeInstance.ROOT) {
            ScopeInstance around = draft.tree.scopes.get(at);
            if (around == null || around.scope().id().equals(kept)) {
                break;
            }
            at = around.parent();
        }
        return new Verdict.Key(at, human);
    }
}
