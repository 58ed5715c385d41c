package dev.flowstone.kernel.expression;

import static java.util.Objects.requireNonNull;

/**
 * A root does not know a value that an expression asked for: the decision must be made again with that fact (rule R1).
 * Control flow inside one decision; carries no stack trace.
 */
public final class MissingFactException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Fact fact;
    private final long steps;
    private final long bytes;

    public MissingFactException(Fact fact) {
        this(fact, 0, 0);
    }

    private MissingFactException(Fact fact, long steps, long bytes) {
        super("missing fact: " + fact, null, false, false);
        this.fact = requireNonNull(fact);
        this.steps = steps;
        this.bytes = bytes;
    }

    /** The same, raised in an evaluation that has taken so many steps and produced so many bytes. */
    public MissingFactException after(long steps, long bytes) {
        return new MissingFactException(fact, steps, bytes);
    }

    public Fact fact() {
        return fact;
    }

    /** What the evaluation had taken when it needed the fact. */
    public long steps() {
        return steps;
    }

    /** What the evaluation had produced when it needed the fact. */
    public long bytes() {
        return bytes;
    }
}
