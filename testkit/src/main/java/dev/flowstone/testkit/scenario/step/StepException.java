package dev.flowstone.testkit.scenario.step;

/** A step that makes no sense as things stand; the scenario fails there. */
public final class StepException extends Exception {
    private static final long serialVersionUID = 1L;

    public StepException(String message) {
        super(message);
    }
}
