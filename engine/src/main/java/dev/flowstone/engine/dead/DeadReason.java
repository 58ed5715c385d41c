package dev.flowstone.engine.dead;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why something is a dead letter. */
public enum DeadReason {
    /** It can't be read. */
    DESERIALIZATION,
    /** It can be read, and asks for what isn't possible now: its workflow is archived, its input isn't what is demanded. */
    VALIDATION,
    /** Whoever takes it up fails. */
    POISON,
    /** Its destination refuses it for good. */
    UNDELIVERABLE,
    /** All attempts were made. */
    EXHAUSTED,
    /** Nobody delivers to its destination. */
    UNKNOWN_DESTINATION;

    /** The reason that is spelled so, in whatever case. */
    public static Optional<DeadReason> of(String text) {
        return Arrays.stream(values())
                .filter(reason -> reason.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst();
    }
}
