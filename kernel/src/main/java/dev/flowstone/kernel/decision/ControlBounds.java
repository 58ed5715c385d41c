package dev.flowstone.kernel.decision;

/**
 * Bounds on what a suspended run holds (R25).
 *
 * @param bufferedInputs that it holds; one more is refused
 * @param inputsPerDecision of those, decided in one decision after it is resumed
 */
public record ControlBounds(int bufferedInputs, int inputsPerDecision) {
    public static final ControlBounds DEFAULT = new ControlBounds(10_000, 100);
}
