package dev.flowstone.engine.shard;

import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs that can't go on, each with its reason; nothing is decided about them until the shard starts afresh,
 * or somebody has them tried again. Thread-safe. */
final class Quarantine {
    private static final System.Logger LOG = System.getLogger(Quarantine.class.getName());

    private final Map<RunKey, String> reasons = new ConcurrentHashMap<>();
    private final Observer observer;
    private final DeadLetterBox dead;

    Quarantine(Observer observer, DeadLetterBox dead) {
        this.observer = observer;
        this.dead = dead;
    }

    void add(RunKey run, String reason) {
        if (reasons.putIfAbsent(run, reason) == null) {
            observer.setAside(run, reason);
            dead.setAside(run, reason);
            LogContext.about(
                    run,
                    () -> LOG.log(
                            Level.ERROR,
                            "run " + run.run() + " of tenant " + run.tenant() + " is set aside and stands still: "
                                    + reason + ". Look at it with 'flowstone verify " + run.run() + "'."));
        }
    }

    boolean contains(RunKey run) {
        return !reasons.isEmpty() && reasons.containsKey(run);
    }

    /** It is tried again. */
    void release(RunKey run) {
        reasons.remove(run);
    }

    Map<RunKey, String> reasons() {
        return Map.copyOf(reasons);
    }
}
