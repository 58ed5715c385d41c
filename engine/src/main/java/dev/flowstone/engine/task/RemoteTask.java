package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * One attempt in a worker's hands.
 *
 * @param lease proves, at this node, that it is this worker's; another holder of the same attempt has another one
 * @param until when it counts as lost, unless its worker is heard of before
 */
public record RemoteTask(TaskCall call, String lease, Instant until) {
    public RemoteTask {
        requireNonNull(call);
        requireNonNull(lease);
        requireNonNull(until);
    }
}
