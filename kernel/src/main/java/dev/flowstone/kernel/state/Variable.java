package dev.flowstone.kernel.state;

import dev.flowstone.kernel.json.JsonValue;

/**
 * A variable of the run.
 *
 * @param bytes of its name and of its value's canonical form, for the bound of all of them
 */
public record Variable(String name, JsonValue value, int bytes) {}
