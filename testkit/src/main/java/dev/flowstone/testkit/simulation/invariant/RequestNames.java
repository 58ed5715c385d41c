package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which runs each request id names: one, for as long as it is remembered; then it may name another. */
final class RequestNames<K> {
    /** By how much the clock that the later run goes by may be behind the database's, which says when the id is forgotten. */
    private static final Duration BEHIND = Duration.ofSeconds(61);

    private final Map<K, List<RunLog>> named = new HashMap<>();

    /** It names this run, somebody was told; false if it can't, because it named another one not so long before or after. */
    boolean mayName(World world, K id, RunLog run) {
        List<RunLog> all = named.computeIfAbsent(id, _ -> new ArrayList<>());
        if (!all.contains(run)) {
            all.add(run);
        }
        return all.stream()
                .filter(other -> !other.run().equals(run.run()))
                .allMatch(other -> Duration.between(began(other), began(run))
                                .abs()
                                .plus(BEHIND)
                                .compareTo(world.receiptLifetime())
                        >= 0);
    }

    private static Instant began(RunLog log) {
        return log.events().getFirst().header().eventTime();
    }
}
