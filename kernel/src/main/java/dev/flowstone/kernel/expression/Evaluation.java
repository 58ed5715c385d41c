package dev.flowstone.kernel.expression;

import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * How a condition came out.
 *
 * @param result its truth; false if there was an error
 * @param error what went wrong, in one sentence, at most 500 characters
 * @param read the values that it read, by path as in {@code context.data['get-item'].status}; a value too large to
 *     repeat stands as a short note of its kind and size
 * @param steps what it took, counted; the same each time, whatever the evaluator remembers from before
 * @param bytes of all that it produced on the way, counted likewise
 */
public record Evaluation(boolean result, Optional<ExpressionError> error, JsonObject read, long steps, long bytes) {}
