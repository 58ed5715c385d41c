package dev.flowstone.kernel.expression;

import dev.flowstone.kernel.id.Sha256;

/** Something outside the run that a decision needs to know; fetched by the engine. */
public sealed interface Fact {
    /** The content of a value that was too large to stand in an event. */
    record StoredValue(Sha256 hash) implements Fact {}
}
