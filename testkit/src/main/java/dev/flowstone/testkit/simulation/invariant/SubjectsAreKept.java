package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.testkit.simulation.world.Mutations;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/**
 * R17: what a transactional task has done is decided in the end, and told as done, whatever became of its run. (What must hold
 * as it happens is checked there, see {@link Mutations}.)
 */
final class SubjectsAreKept implements Invariant {
    @Override
    public String number() {
        return "R17";
    }

    @Override
    public void ended(World world) {
        if (!world.mutations().undecided().isEmpty()) {
            throw broken(
                    "it was never decided: " + world.mutations().undecided().values());
        }
        world.mutations().all().forEach((run, mutations) -> told(world, run, mutations));
    }

    private void told(World world, RunKey run, List<Mutations.Mutation> mutations) {
        RunLog log = world.log(run);
        for (Mutations.Mutation mutation : mutations) {
            boolean recorded = log.events().stream()
                    .map(Event::body)
                    .anyMatch(body -> Mutations.records(mutation.activation(), body));
            if (!recorded) {
                throw broken(log.name() + " did " + mutation + " and doesn't tell");
            }
        }
    }
}
