package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.StartRequests;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.util.Optional;

/** Many timers are due at once: several runs start together, and time leaps over all that they wait for. */
final class TimerStorm implements Fault {
    private static final int RUNS = 4;
    private static final int ROUNDS = 3;
    private static final int MOST = 10;

    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<SimulatedNode> ready = world.nodes().stream()
                .filter(node -> node.runs()
                        && node.engine().map(up -> up.node().ready()).orElse(false))
                .findFirst();
        if (ready.isEmpty() || world.clients().requests().size() > MOST) {
            return false;
        }
        Published workflow = world.workflows().getLast();
        for (int i = 0; i < RUNS; i++) {
            world.clients().ask(ready.get(), StartRequests.of(workflow, dice, Optional.empty()));
        }
        for (int i = 0; i < ROUNDS; i++) {
            ready.get().step();
        }
        world.struck(name());
        world.advance(Duration.ofMinutes(1));
        return true;
    }
}
