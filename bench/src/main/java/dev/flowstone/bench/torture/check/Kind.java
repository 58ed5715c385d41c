package dev.flowstone.bench.torture.check;

import dev.flowstone.bench.worker.EffectWorker;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The workflows that are tortured, each with how its runs have to end. */
public enum Kind {
    /** Three effects, one after another. */
    SEQUENCE,
    /** People decide, several at once; then an effect. */
    APPROVAL,
    /** Waits for a signal; then an effect. */
    SIGNAL,
    /** Sleeps; then an effect. */
    TIMER,
    /** Fails after two effects, which are undone; the second can't be in a run whose name says so. */
    UNDO,
    /** Sends a message, which leaves by itself. */
    TELL,
    /** Nothing but a step inside: shows whether runs start and finish at all. */
    PROBE;

    public String workflow() {
        return "torture-" + name().toLowerCase(Locale.ROOT);
    }

    /** As REST calls it. */
    public String status() {
        return this == UNDO ? "Failed" : "Succeeded";
    }

    /** Activations that have one effect each. */
    public List<String> effects() {
        return switch (this) {
            case SEQUENCE -> List.of("first#1", "second#1", "third#1");
            case APPROVAL, SIGNAL, TIMER -> List.of("act#1");
            case UNDO -> List.of("reserve#1", "pay#1");
            case TELL, PROBE -> List.of();
        };
    }

    /** Of those, which have to be undone: by an effect of the activation of this name, or by a person. */
    public Set<String> undone() {
        return this == UNDO ? Set.of("reserve#1", "pay#1") : Set.of();
    }

    /** Of those, which of the run of this name can only be undone by a person. */
    public Set<String> irreversible(String name) {
        return this == UNDO && name.endsWith(EffectWorker.IRREVERSIBLE) ? Set.of("pay#1") : Set.of();
    }

    /** By which the effect of an activation is undone. */
    static String undoing(String activation) {
        return activation.replace("#", "#-");
    }
}
