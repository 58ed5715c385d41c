package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.expression.Fact;
import java.util.Set;

/** Several facts are missing at once; like its singular, control flow inside one decision. */
final class MissingFactsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Set<Fact> facts;

    MissingFactsException(Set<Fact> facts) {
        super("missing facts: " + facts.size(), null, false, false);
        this.facts = Set.copyOf(facts);
    }

    Set<Fact> facts() {
        return facts;
    }
}
