package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Which run each request id names: one, for as long as it is remembered; then it may name another. */
final class RequestNames<K> {
    /** By how much two clocks may differ in what they take for the end of that time: a minute each, one ahead and one behind. */
    private static final Duration CLOCKS = Duration.ofMinutes(3);

    private final Map<K, RunLog> named = new HashMap<>();

    /** It names this run, somebody was told; false if it can't, because it named another one not so long ago. */
    boolean mayName(World world, K id, RunLog run) {
        RunLog before = named.put(id, run);
        return before == null
                || before.run().equals(run.run())
                || Duration.between(began(before), began(run))
                                .abs()
                                .plus(CLOCKS)
                                .compareTo(world.receiptLifetime())
                        >= 0;
    }

    private static Instant began(RunLog log) {
        return log.events().getFirst().header().eventTime();
    }
}
