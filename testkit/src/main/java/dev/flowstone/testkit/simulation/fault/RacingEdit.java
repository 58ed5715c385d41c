package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.kernel.id.Subject;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** Somebody edits a subject between the decision of a commit and its transaction: the one that a run begins or ends with, if there is one. */
final class RacingEdit implements Fault {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).strikes().onCommit(name(), (commit, store) -> {
            Optional<Subject> subject = commit.moves().stream()
                    .flatMap(move -> move.window().stream())
                    .map(row -> row.subject())
                    .findFirst();
            subject.ifPresentOrElse(
                    raced -> world.subjects().edit(raced, dice),
                    () -> world.subjects().edit(dice));
            return store.commit(commit);
        });
    }
}
