package dev.flowstone.expression;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gathers {@link References} while a source is translated. */
final class ReferenceCollector {
    private static final String CONTEXT = "context";
    private static final String DATA = "data";

    private final Set<String> roots = new HashSet<>();
    private final Set<String> nodes = new HashSet<>();
    private int contexts;
    private int understood;

    void root(String name) {
        roots.add(name);
        if (name.equals(CONTEXT)) {
            contexts++;
        }
    }

    void chain(Node base, List<Link> links) {
        if (!(base instanceof RootName root)
                || !root.name().equals(CONTEXT)
                || links.isEmpty()
                || !(links.getFirst() instanceof Link.Named first)) {
            return;
        }
        if (!first.name().equals(DATA)) {
            understood++;
        } else if (links.size() > 1 && links.get(1) instanceof Link.Named node) {
            understood++;
            nodes.add(node.name());
        } else if (links.size() > 1 && links.get(1) instanceof Link.Indexed node) {
            understood++;
            nodes.add(Integer.toString(node.index()));
        }
    }

    /** Every mention of the context that is no plain member chain may read any node. */
    References toReferences() {
        return new References(roots, nodes, understood < contexts);
    }
}
