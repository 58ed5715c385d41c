package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.HandlerName;
import java.util.Map;

/**
 * Bounds on handlers of one node.
 *
 * @param concurrency handlers running at once, in all
 * @param perHandler handlers running at once, by name; what isn't named is bounded by {@code concurrency} alone
 * @param backlog attempts waiting for a place; beyond, new starts are refused as busy
 * @param inlineBytes of an output; a longer one goes to the payload store
 * @param outputBytes of an output; a longer one is a permanent failure
 * @param messageCharacters of an error message; a longer one is cut
 */
public record TaskConfig(
        int concurrency,
        Map<HandlerName, Integer> perHandler,
        int backlog,
        int inlineBytes,
        long outputBytes,
        int messageCharacters) {
    public static final TaskConfig DEFAULT = new TaskConfig(1_000, Map.of(), 50_000, 32 << 10, 16 << 20, 2_000);

    public TaskConfig {
        perHandler = Map.copyOf(perHandler);
        if (concurrency < 1 || perHandler.values().stream().anyMatch(limit -> limit < 1)) {
            throw new IllegalArgumentException("a limit of handlers is at least 1");
        }
    }

    public TaskConfig withConcurrency(int limit) {
        return new TaskConfig(limit, perHandler, backlog, inlineBytes, outputBytes, messageCharacters);
    }

    public TaskConfig withPerHandler(Map<HandlerName, Integer> limits) {
        return new TaskConfig(concurrency, limits, backlog, inlineBytes, outputBytes, messageCharacters);
    }

    int limit(HandlerName handler) {
        return Math.min(concurrency, perHandler.getOrDefault(handler, concurrency));
    }
}
