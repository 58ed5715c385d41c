package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * R11: attempts count from 1, one after another, from the moment that they are scheduled, and no more than the node allows,
 * or than what undoes it; a person who has a failed task tried again allows one more.
 */
final class AttemptsAreCounted implements Invariant {
    private final Map<Named, Integer> last = new HashMap<>();
    private final Map<Named, Integer> granted = new HashMap<>();

    /** What the program allowed when an attempt failed: the next one may wait for its time while the run is moved. */
    private final Map<Named, Integer> promised = new HashMap<>();

    private final Map<Raised, Named> raised = new HashMap<>();

    private record Named(RunKey run, ActivationId activation) {
        Named now(RunKey moves, ControlEvent.Migrated moved) {
            return run.equals(moves) ? new Named(run, Renamed.now(moved, activation)) : this;
        }
    }

    private record Raised(RunKey run, long sequence) {}

    @Override
    public String number() {
        return "R11";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof ControlEvent.RunReset) {
                // What had failed there goes on from its last attempt; what lived begins anew, and is released for
                // that.
                log.before().forEach(told -> see(log, told.event(), told.program()));
            }
            if (event.body() instanceof EventBody.TaskScheduled body) {
                inOrder(log, event, body);
            }
            see(log, event, log.programAt(event.sequence()));
        }
    }

    private void see(RunLog log, Event event, Program program) {
        switch (event.body()) {
            case EventBody.TaskScheduled body -> last.put(new Named(log.run(), body.activation()), body.attempt());
            case EventBody.TaskFailed body -> failed(new Named(log.run(), body.activation()), body.attempt(), program);
            case EventBody.TaskTimedOut body ->
                failed(new Named(log.run(), body.activation()), body.attempt(), program);
            case ControlEvent.ActivationReleased body -> {
                Named named = new Named(log.run(), body.activation());
                List.of(last, granted, promised).forEach(known -> known.remove(named));
            }
            case ControlEvent.Migrated body -> {
                List.of(last, granted, promised)
                        .forEach(known -> Renamed.keys(known, named -> named.now(log.run(), body)));
                raised.replaceAll((_, named) -> named.now(log.run(), body));
            }
            case EventBody.IncidentRaised body ->
                body.activation()
                        .ifPresent(id -> raised.put(new Raised(log.run(), event.sequence()), new Named(log.run(), id)));
            case ControlEvent.IncidentResolved body
            when body.how() == ControlEvent.Resolution.RETRIED ->
                Optional.ofNullable(raised.get(new Raised(log.run(), body.sequence())))
                        .ifPresent(failed -> granted.merge(failed, 1, Integer::sum));
            default -> {}
        }
    }

    private void inOrder(RunLog log, Event event, EventBody.TaskScheduled scheduled) {
        Named named = new Named(log.run(), scheduled.activation());
        int before = last.getOrDefault(named, 0);
        int most = Math.max(most(log.programAt(event.sequence()), named), promised.getOrDefault(named, 0));
        if (scheduled.attempt() != before + 1 || scheduled.attempt() > most) {
            throw broken("attempt " + scheduled.attempt() + " of " + scheduled.activation() + " in "
                    + log.state().correlation() + " follows attempt " + before + "; there may be " + most);
        }
    }

    private void failed(Named named, int attempt, Program program) {
        promised.merge(named, Math.min(attempt + 1, most(program, named)), Math::max);
    }

    private int most(Program program, Named named) {
        return most(program, named.activation()) + granted.getOrDefault(named, 0);
    }

    private static int most(Program program, ActivationId activation) {
        if (!(program.node(activation.node()) instanceof Node.Task task)) {
            return 0;
        }
        if (!activation.isUndoing()) {
            return task.retry().attempts();
        }
        return task.compensation()
                .map(undo ->
                        undo instanceof Compensation.ByHandler by ? by.retry().attempts() : 0)
                .orElse(0);
    }
}
