package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Outcome;
import java.util.List;

/**
 * What a human task decided, as long as no gate has used it (R15).
 *
 * @param decided the human task's activation
 * @param scope number of the scope instance that its gates share with it
 * @param earlier what the human task was called before
 */
public record Verdict(ActivationId decided, Outcome outcome, int scope, List<NodeId> earlier) {
    public Verdict {
        earlier = List.copyOf(earlier);
    }

    Verdict renamed(ActivationId name) {
        return new Verdict(name, outcome, scope, NodeNames.with(earlier, decided.node(), name.node()));
    }

    Key key() {
        return new Key(scope, decided.node());
    }

    /** The newest of a human task stands for it, in the instance of the scope that its gates share with it. */
    record Key(int scope, NodeId human) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byScope = Integer.compare(scope, other.scope);
            return byScope != 0 ? byScope : human.compareTo(other.human);
        }
    }
}
