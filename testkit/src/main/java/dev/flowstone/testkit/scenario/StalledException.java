package dev.flowstone.testkit.scenario;

/** A scenario that reached one of its bounds. */
final class StalledException extends Exception {
    private static final long serialVersionUID = 1L;

    StalledException(String message) {
        super(message);
    }
}
