package dev.flowstone.engine.task;

import dev.flowstone.engine.limit.ActionLimit;
import java.util.List;

/**
 * Bounds on handlers of one node.
 *
 * @param concurrency handlers running at once, in all
 * @param limits on actions and connectors, of workers outside too; who claims from another node is counted there
 * @param backlog attempts waiting for a place; beyond, new starts are refused as busy
 * @param inlineBytes of an output; a longer one goes to the payload store
 * @param outputBytes of an output; a longer one is a permanent failure
 * @param messageCharacters of an error message; a longer one is cut
 */
public record TaskConfig(
        int concurrency,
        List<ActionLimit> limits,
        int backlog,
        int inlineBytes,
        long outputBytes,
        int messageCharacters) {
    public static final TaskConfig DEFAULT = new TaskConfig(1_000, List.of(), 50_000, 32 << 10, 16 << 20, 2_000);

    public TaskConfig {
        limits = List.copyOf(limits);
        if (concurrency < 1) {
            throw new IllegalArgumentException("a limit of handlers is at least 1");
        }
        if (limits.stream().map(ActionLimit::actions).distinct().count() < limits.size()) {
            throw new IllegalArgumentException("two limits are on the same actions: " + limits);
        }
    }

    public TaskConfig withConcurrency(int limit) {
        return new TaskConfig(limit, limits, backlog, inlineBytes, outputBytes, messageCharacters);
    }

    public TaskConfig withLimits(List<ActionLimit> onActions) {
        return new TaskConfig(concurrency, onActions, backlog, inlineBytes, outputBytes, messageCharacters);
    }
}
