package dev.flowstone.kernel.json;

/**
 * One immutable JSON value. Two values are equal exactly if their canonical exact forms are: member order never counts,
 * {@code 1.0} equals {@code 1}.
 */
public sealed interface JsonValue permits JsonArray, JsonBoolean, JsonNull, JsonNumber, JsonObject, JsonString {}
