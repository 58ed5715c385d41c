package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** I4: an activation opens once, gets one result and ends once; one that was skipped never opened (R5). */
final class ActivationSettlesOnce implements Invariant {
    private final Set<Named> opened = new HashSet<>();
    private final Set<Named> results = new HashSet<>();
    private final Set<Named> ended = new HashSet<>();

    private final Map<Raised, Named> raised = new HashMap<>();

    private record Raised(RunKey run, long sequence) {}

    private record Named(RunKey run, ActivationId activation) {
        Named now(RunKey moves, ControlEvent.Migrated moved) {
            return run.equals(moves) ? new Named(run, Renamed.now(moved, activation)) : this;
        }
    }

    @Override
    public String number() {
        return "I4";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof ControlEvent.RunReset) {
                // Visits are counted on from where the other run was.
                log.before().forEach(told -> see(log, told.event()));
            }
            see(log, event);
        }
    }

    private void see(RunLog log, Event event) {
        if (event.body() instanceof EventBody.IncidentRaised body) {
            body.activation()
                    .ifPresent(id -> raised.put(new Raised(log.run(), event.sequence()), new Named(log.run(), id)));
        }
        see(log, event.body());
    }

    private void see(RunLog log, EventBody event) {
        switch (event) {
            case EventBody.ActivationOpened body -> once(opened, log, body.activation(), event);
            case EventBody.TaskCompleted body -> once(results, log, body.activation(), event);
            case EventBody.TaskSkipped body -> once(results, log, body.activation(), event);
            case EventBody.TaskFailed body when body.settles() -> once(results, log, body.activation(), event);
            case EventBody.TaskTimedOut body when body.settles() -> once(results, log, body.activation(), event);
            case EventBody.ActivationCanceled body -> {
                none(results, log, body.activation(), event);
                once(ended, log, body.activation(), event);
            }
            case EventBody.ActivationSkipped body -> {
                none(opened, log, body.activation(), event);
                once(ended, log, body.activation(), event);
            }
            case EventBody.Transitioned body -> once(ended, log, body.activation(), event);
            case ControlEvent.IncidentResolved body
            when body.how() == ControlEvent.Resolution.RETRIED ->
                // The failure that a person has tried again is no result any more.
                Optional.ofNullable(raised.get(new Raised(log.run(), body.sequence())))
                        .ifPresent(results::remove);
            case ControlEvent.RunReset _ ->
                // What lived there begins anew, without a result.
                results.removeIf(named -> named.run.equals(log.run()) && !ended.contains(named));
            case ControlEvent.Migrated body -> {
                Renamed.all(results, named -> named.now(log.run(), body));
                Renamed.all(ended, named -> named.now(log.run(), body));
                raised.replaceAll((_, named) -> named.now(log.run(), body));
                // The names that were given once stay given: no later visit may have one of them.
                List.copyOf(opened).forEach(named -> opened.add(named.now(log.run(), body)));
            }
            default -> {}
        }
    }

    private void once(Set<Named> seen, RunLog log, ActivationId activation, EventBody event) {
        if (!seen.add(new Named(log.run(), activation))) {
            throw broken("a second time in " + log.state().correlation() + ": " + event);
        }
    }

    private void none(Set<Named> seen, RunLog log, ActivationId activation, EventBody event) {
        if (seen.contains(new Named(log.run(), activation))) {
            throw broken("too late in " + log.state().correlation() + ": " + event);
        }
    }
}
