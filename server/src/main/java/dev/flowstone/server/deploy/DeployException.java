package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.client.ServerAnswer;

/** The server refused, or nobody answered; what was done before stays done. */
public final class DeployException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ServerAnswer answer;

    /** @param what was being done, such as {@code workflow order} */
    DeployException(String what, ServerAnswer answer) {
        super(what);
        this.answer = requireNonNull(answer);
    }

    /** What the server said. */
    public ServerAnswer answer() {
        return answer;
    }
}
