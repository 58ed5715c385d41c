package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * I3: the rows that people's lists are read from are the open tasks of the runs' states, and say of each what its state says.
 * When something is due doesn't matter any more in a run that is ending, which cancels its tasks one after another.
 */
final class HumanTasksAreListed implements Invariant {
    private static final int ALL = Integer.MAX_VALUE;

    @Override
    public String number() {
        return "I3";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        if (log.isAggregate() || log.state().program().nodes().stream().noneMatch(Node.HumanTask.class::isInstance)) {
            return;
        }
        boolean ends = log.state().status() != RunStatus.RUNNING;
        TreeSet<String> told = new TreeSet<>();
        log.state()
                .humanTasks()
                .forEach(open -> told.add(text(open, isSerial(log, open.task().activation()), ends)));
        TreeSet<String> listed = new TreeSet<>();
        try {
            world.database()
                    .ports()
                    .humanTasks()
                    .tasks(World.TENANT, HumanTaskFilter.ALL.ofRun(log.run().run()), Optional.empty(), ALL)
                    .forEach(open -> listed.add(text(open.task(), ends)));
        } catch (JournalException e) {
            throw broken("the human tasks can't be read: " + e);
        }
        if (!told.equals(listed)) {
            throw broken("the state of " + log.name() + " asks " + told + ", lists show " + listed);
        }
    }

    private static boolean isSerial(RunLog log, ActivationId task) {
        return log.state().program().node(task.node()) instanceof Node.HumanTask node
                && node.quorum() instanceof Quorum.Serial;
    }

    private static String text(OpenHumanTask open, boolean serial, boolean ends) {
        HumanTaskState task = open.task();
        Optional<Instant> due = open.due().stream().map(TimerState::dueAt).min(Instant::compareTo);
        return text(
                task.activation(),
                task.openedAt(),
                task.undecided().stream()
                        .limit(serial ? 1 : ALL)
                        .map(assignee -> assignee.party().toString())
                        .toList(),
                Optional.ofNullable(task.claim()).map(claim -> claim.by().toString()),
                ends ? Optional.empty() : due);
    }

    private static String text(HumanTaskRow row, boolean ends) {
        return text(
                row.activation(),
                row.openedAt(),
                row.assignees(),
                row.claimedBy(),
                ends ? Optional.empty() : row.dueAt());
    }

    private static String text(
            Object activation, Instant opened, List<String> asked, Optional<String> claimed, Optional<Instant> due) {
        return activation + " since " + opened + " of " + asked + ", claimed by " + claimed + ", due " + due;
    }
}
