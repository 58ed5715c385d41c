package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every call of a handler, as the outside world saw it: what no crash takes back. */
public final class Ledger {
    private final List<Effect> effects = new ArrayList<>();
    private final List<Lookup> lookups = new ArrayList<>();

    /** One call. */
    public record Effect(RunKey run, ActivationId activation, int attempt, Sha256 key, String node) {}

    /** What a handler found where it looked for a resource that others may have made. */
    public record Lookup(RunId resource, Optional<LinkLookup.Found> found, String who) {}

    void add(Lookup lookup) {
        lookups.add(lookup);
    }

    /** All of them, in order; grows. */
    public List<Lookup> lookups() {
        return lookups;
    }

    void add(Effect effect) {
        effects.add(effect);
    }

    /** All of them, in order; grows. */
    public List<Effect> effects() {
        return effects;
    }
}
