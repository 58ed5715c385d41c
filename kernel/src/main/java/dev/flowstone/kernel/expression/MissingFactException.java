package dev.flowstone.kernel.expression;

import static java.util.Objects.requireNonNull;

/**
 * A root does not know a value that an expression asked for: the decision must be made again with that fact (rule R1).
 * Control flow inside one decision; carries no stack trace.
 */
public final class MissingFactException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Fact fact;

    public MissingFactException(Fact fact) {
        super("missing fact: " + fact, null, false, false);
        this.fact = requireNonNull(fact);
    }

    public Fact fact() {
        return fact;
    }
}
