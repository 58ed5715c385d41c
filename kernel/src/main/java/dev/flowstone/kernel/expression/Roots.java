package dev.flowstone.kernel.expression;

import dev.flowstone.kernel.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The names that an expression may begin with, such as {@code trigger}, {@code spec}, {@code context}, {@code vars}. */
@FunctionalInterface
public interface Roots {
    /** The value of this root, or null if there is no such root. */
    @Nullable
    JsonValue root(String name);
}
