package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.aggregate.SemaphoreState;
import dev.flowstone.kernel.aggregate.Waiter;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.state.HeldPermit;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * I6: a semaphore never gives more permits than it has, by its own events; and when all is over, whoever holds one according
 * to it hasn't ended, and holds it by its own account too.
 */
final class PermitsWithinLimit implements Invariant {
    private final Map<RunKey, Map<Waiter, Integer>> held = new HashMap<>();
    private final Map<RunKey, Integer> limits = new HashMap<>();

    @Override
    public String number() {
        return "I6";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        if (!(log.state() instanceof SemaphoreState)) {
            return;
        }
        Map<Waiter, Integer> grants = held.computeIfAbsent(log.run(), _ -> new HashMap<>());
        for (Event event : fresh) {
            switch (event.body()) {
                case AggregateEvent.PermitRequested body -> limits.put(log.run(), body.limit());
                case AggregateEvent.PermitGranted body -> {
                    Integer before = grants.put(new Waiter(body.run(), body.activation()), body.permits());
                    int used =
                            grants.values().stream().mapToInt(Integer::intValue).sum();
                    if (before != null || used > limits.getOrDefault(log.run(), 0)) {
                        throw broken("permits beyond the limit: " + grants + " after " + body);
                    }
                }
                case AggregateEvent.PermitReleased body -> taken(grants, new Waiter(body.run(), body.activation()));
                case AggregateEvent.LeaseExpired body -> taken(grants, new Waiter(body.run(), body.activation()));
                default -> {}
            }
        }
    }

    private void taken(Map<Waiter, Integer> grants, Waiter waiter) {
        if (grants.remove(waiter) == null) {
            throw broken("permits that nobody had came back from " + waiter);
        }
    }

    @Override
    public void ended(World world) {
        held.forEach((semaphore, grants) -> grants.keySet().forEach(waiter -> {
            RunLog log = world.logs().get(new RunKey(World.TENANT, waiter.run()));
            boolean knows = log != null
                    && log.state().permits().stream()
                            .map(HeldPermit::activation)
                            .anyMatch(waiter.activation()::equals);
            if (!knows) {
                throw broken("a permit of " + semaphore.run() + " is held by " + waiter + ", who knows nothing of it");
            }
        }));
    }
}
