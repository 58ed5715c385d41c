package dev.flowstone.triggers.schedule;

import java.util.Arrays;
import java.util.Optional;

/** What becomes of ticks that passed while the trigger was off, or nothing ran that could have fired them. */
public enum MissedFire {
    /** Nothing. */
    SKIP("skip"),
    /** The last of them fires, for all. */
    ONCE("fireOnce"),
    /** The last of them fire, each, up to a bound. */
    ALL("fireAll");

    private final String word;

    MissedFire(String word) {
        this.word = word;
    }

    /** As callers write it. */
    public String word() {
        return word;
    }

    public static Optional<MissedFire> of(String word) {
        return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
    }
}
