package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** A task goes to others. */
final class HandOverTask implements Action {
    @Override
    public int weight() {
        return 30;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<People.Asked> asked = People.any(world, dice);
        if (asked.isEmpty()) {
            return false;
        }
        RunLog log = asked.get().log();
        ActivationId task = asked.get().activation();
        Party from = asked(log, task, dice).orElseGet(() -> Party.user("u" + dice.below(4)));
        // Mostly somebody who isn't asked yet; whoever has decided, or is asked, can't be.
        Party to = dice.percent(85) ? Party.user("u" + dice.below(12)) : Party.role("r" + dice.below(2));
        HumanCommand command = dice.percent(45)
                ? new HumanCommand.Reassign(
                        task, dice.percent(50) ? Optional.of(from) : Optional.empty(), List.of(to), "away")
                : delegate(task, Party.user(People.likely(log, task, dice).id()), to, dice);
        String actor = command instanceof HumanCommand.Delegate delegate
                ? delegate.from().id()
                : from.id();
        return People.ask(world, dice, log.run(), command, new Actor("user", actor));
    }

    private static HumanCommand delegate(ActivationId task, Party from, Party to, Dice dice) {
        return new HumanCommand.Delegate(task, from, to, People.roles(dice), dice.percent(30), "away");
    }

    /** Mostly one of those who are asked, now and then somebody who isn't. */
    private static Optional<Party> asked(RunLog log, ActivationId task, Dice dice) {
        List<Assignee> undecided =
                log.state().humanTask(task).map(open -> open.task().undecided()).orElse(List.of());
        return undecided.isEmpty() || dice.percent(20)
                ? Optional.empty()
                : Optional.of(dice.pick(undecided).party());
    }
}
