package dev.flowstone.sdk.worker;

import java.util.List;

/**
 * How a worker has stopped.
 *
 * @param left attempts whose handlers did not end within the grace; they were interrupted
 * @param untold answers that no server has heard: their attempts count as lost when their leases end, and are made again
 */
public record Stopped(List<Left> left, int untold) {
    public Stopped {
        left = List.copyOf(left);
    }

    /**
     * An attempt that somebody else makes.
     *
     * @param givenBack whether its server knows that, so that it is made at once and uses up nothing; else when its lease ends
     */
    public record Left(String action, String executionId, String activation, int attempt, boolean givenBack) {}

    /** Whether everything that was begun is done, and heard of. */
    public boolean isInOrder() {
        return left.isEmpty() && untold == 0;
    }
}
