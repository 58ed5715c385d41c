package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Poison;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.StartRequests;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A start that the database can't store, in the same batch as others. */
final class UnstorableStart implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<SimulatedNode> up = world.upNodes();
        if (up.isEmpty()) {
            return false;
        }

        world.poison().use();
        world.struck(name());
        StartRequest request = StartRequests.of(dice.pick(world.workflows()), dice, Optional.empty());
        world.clients()
                .ask(
                        dice.pick(up),
                        new StartRequest(
                                request.tenant(),
                                request.workflow(),
                                request.version(),
                                request.program(),
                                request.requestId(),
                                Map.of("trigger", new JsonString(Poison.WORD)),
                                request.actor(),
                                request.correlation()));
        return true;
    }
}
