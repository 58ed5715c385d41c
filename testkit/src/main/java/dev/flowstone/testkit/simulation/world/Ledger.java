package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import java.util.ArrayList;
import java.util.List;

/** Every call of a handler, as the outside world saw it: what no crash takes back. */
public final class Ledger {
    private final List<Effect> effects = new ArrayList<>();

    /** One call. */
    public record Effect(RunKey run, ActivationId activation, int attempt, Sha256 key, String node) {}

    void add(Effect effect) {
        effects.add(effect);
    }

    /** All of them, in order; grows. */
    public List<Effect> effects() {
        return effects;
    }
}
