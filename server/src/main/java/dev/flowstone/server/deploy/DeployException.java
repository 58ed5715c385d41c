package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.client.ServerAnswer;

/** The server refused, or nobody answered; what was done before stays done. */
public final class DeployException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SERVER_ERROR = 500;

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

    /** Whether the server said that it can't be done as it was said; then nothing was. */
    boolean isRefusal() {
        return answer instanceof ServerAnswer.Refused(int status, JsonObject _)
                && status < SERVER_ERROR
                && !isAboutKey();
    }

    /** Whether a trigger was begun before, and what became of it can't be told: it was removed, or is another one. */
    public boolean isAboutKey() {
        return answer instanceof ServerAnswer.Refused(int _, JsonObject problem)
                && Remote.text(problem, "code").equals("IDEMPOTENCY_KEY_REUSED");
    }
}
