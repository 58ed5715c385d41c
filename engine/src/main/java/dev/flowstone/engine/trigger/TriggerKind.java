package dev.flowstone.engine.trigger;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What makes a trigger fire (dataflow.md §3.7). */
public enum TriggerKind {
    WEBHOOK("Webhook"),
    SCHEDULE("Schedule"),
    EVENT("Event"),
    /** Somebody, by hand. Those of the other kinds can be fired so, too. */
    MANUAL("Manual");

    private final String word;

    TriggerKind(String word) {
        this.word = word;
    }

    /** As callers write it. */
    public String word() {
        return word;
    }

    public static Optional<TriggerKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }

    /** As it is stored. */
    public String stored() {
        return word.toLowerCase(Locale.ROOT);
    }

    /** Of a word that was stored. */
    public static TriggerKind ofStored(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
