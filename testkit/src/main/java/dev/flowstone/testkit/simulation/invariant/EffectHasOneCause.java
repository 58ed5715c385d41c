package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.testkit.simulation.world.Ledger;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * I7: when a handler is called, the event that caused the call is stored already, and each such event causes one call at most.
 * A key belongs to one activation.
 */
final class EffectHasOneCause implements Invariant {
    private final Map<Named, Integer> causes = new HashMap<>();
    private final Map<Named, Sha256> keys = new HashMap<>();
    private final Map<Sha256, Named> owners = new HashMap<>();
    private int seen;

    /** An attempt; or its activation, with attempt 0. */
    private record Named(RunKey run, ActivationId activation, int attempt) {}

    @Override
    public String number() {
        return "I7";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            switch (event.body()) {
                case EventBody.ActivationOpened body -> named(log, body.activation(), body.key());
                case ControlEvent.ActivationReleased body -> named(log, body.activation(), body.key());
                case CompensationEvent.CompensationScheduled body -> named(log, body.activation(), body.key());
                case EventBody.TaskScheduled body ->
                    causes.merge(new Named(log.run(), body.activation(), body.attempt()), 1, Integer::sum);
                case EventBody.TaskHandedOut body ->
                    causes.merge(new Named(log.run(), body.activation(), body.attempt()), 1, Integer::sum);
                case ControlEvent.Migrated body -> renamed(log, body);
                default -> {}
            }
        }
    }

    /** What lives keeps its key; calls that were asked for before name it as it was. */
    private void renamed(RunLog log, ControlEvent.Migrated moved) {
        Map<Named, Sha256> known = new HashMap<>(keys);
        known.forEach((named, key) -> {
            if (named.run.equals(log.run()) && moved.nodes().containsKey(named.activation.node())) {
                Named now = new Named(named.run, Renamed.now(moved, named.activation), 0);
                keys.put(now, key);
                owners.put(key, now);
            }
        });
    }

    private void named(RunLog log, ActivationId activation, Sha256 key) {
        Named owner = new Named(log.run(), activation, 0);
        keys.put(owner, key);
        Named other = owners.put(key, owner);
        if (other != null && !other.equals(owner)) {
            throw broken(owner + " and " + other + " have one key");
        }
    }

    @Override
    public void stepped(World world) {
        List<Ledger.Effect> effects = world.ledger().effects();
        while (seen < effects.size()) {
            Ledger.Effect effect = effects.get(seen);
            seen++;
            int left = causes.merge(new Named(effect.run(), effect.activation(), effect.attempt()), -1, Integer::sum);
            if (left < 0) {
                throw broken("nothing in the log of its run caused " + effect + ", or what did has been used up");
            }
            if (!effect.key().equals(keys.get(new Named(effect.run(), effect.activation(), 0)))) {
                throw broken("the key of " + effect + " isn't its activation's");
            }
        }
    }
}
