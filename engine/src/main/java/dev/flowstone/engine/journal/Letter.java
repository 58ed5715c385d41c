package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;

/** A message between two runs as its sender's shard keeps it, from the commit that sent it until it was delivered. */
public record Letter(LetterKey key, JsonObject content) {
    public Letter {
        requireNonNull(key);
        requireNonNull(content);
    }
}
