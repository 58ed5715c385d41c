package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

/** Ends a call with a problem. Control flow inside one request; carries no stack trace. */
public final class ProblemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.code() + ": " + problem.detail(), null, false, false);
        this.problem = requireNonNull(problem);
    }

    public Problem problem() {
        return problem;
    }
}
