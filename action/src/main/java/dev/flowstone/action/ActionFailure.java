package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.io.Serial;

/** Thrown where a failure is known, deep below an action that would only hand it on. */
public final class ActionFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient ActionResult.Failed<?> result;

    public ActionFailure(ActionResult.Failed<?> result) {
        super(result.code() + ": " + result.message());
        this.result = requireNonNull(result);
    }

    public ActionResult.Failed<?> result() {
        return result;
    }
}
