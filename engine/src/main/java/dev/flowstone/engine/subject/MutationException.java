package dev.flowstone.engine.subject;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.FailureClass;

/** A mutation can't be made, for a reason with a stable code. Nothing of it is left. */
public final class MutationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Somebody else held a lock for too long. */
    public static final String LOCKED = "SUBJECT_LOCKED";

    /** A statement, or the whole, took too long. */
    public static final String TIMEOUT = "TRANSACTION_TIMEOUT";

    /** The database chose this transaction to give way to another one. */
    public static final String CONFLICT = "TRANSACTION_CONFLICT";

    /** A statement is wrong, or its data is. */
    public static final String REFUSED = "MUTATION_REFUSED";

    private final FailureClass failure;
    private final String code;

    public MutationException(FailureClass failure, String code, String message) {
        super(message);
        this.failure = requireNonNull(failure);
        this.code = requireNonNull(code);
    }

    public FailureClass failure() {
        return failure;
    }

    public String code() {
        return code;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
