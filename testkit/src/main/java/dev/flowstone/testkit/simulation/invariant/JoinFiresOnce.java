package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** I5: a join fires once for each opening of its fork, and each branch opens once and ends once (R10). */
final class JoinFiresOnce implements Invariant {
    private final Set<Named> fired = new HashSet<>();
    private final Set<Named> opened = new HashSet<>();
    private final Set<Named> ended = new HashSet<>();

    /** A branch; or the join of a fork, with branch -1. */
    private record Named(RunKey run, ActivationId fork, int branch) {
        Named now(RunKey moves, ControlEvent.Migrated moved) {
            return run.equals(moves) ? new Named(run, Renamed.now(moved, fork), branch) : this;
        }
    }

    @Override
    public String number() {
        return "I5";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof ControlEvent.RunReset) {
                log.before().forEach(told -> see(log, told.event().body()));
            }
            see(log, event.body());
        }
    }

    private void see(RunLog log, EventBody event) {
        if (event instanceof ForkEvent body) {
            see(log, body);
        }
        if (event instanceof ControlEvent.Migrated body) {
            Stream.of(fired, opened, ended).forEach(known -> Renamed.all(known, named -> named.now(log.run(), body)));
        }
    }

    private void see(RunLog log, ForkEvent event) {
        switch (event) {
            case ForkEvent.JoinFired body -> once(fired, new Named(log.run(), body.fork(), -1), log, body);
            case ForkEvent.BranchOpened body -> {
                once(opened, new Named(log.run(), body.fork(), body.branch()), log, body);
                if (fired.contains(new Named(log.run(), body.fork(), -1))) {
                    throw broken("after its join has fired, in " + log.name() + ": " + body);
                }
            }
            case ForkEvent.BranchEnded body -> once(ended, new Named(log.run(), body.fork(), body.branch()), log, body);
            case ForkEvent.BranchCanceled body -> {
                once(ended, new Named(log.run(), body.fork(), body.branch()), log, body);
                if (!fired.contains(new Named(log.run(), body.fork(), -1))) {
                    throw broken("before its join has fired, in " + log.name() + ": " + body);
                }
            }
            case ForkEvent.BranchKept body -> once(ended, new Named(log.run(), body.fork(), body.branch()), log, body);
            case ForkEvent.ForkOpened _,
                    ForkEvent.BranchesDiscarded _,
                    ForkEvent.ExitFollowed _,
                    ForkEvent.IncidentDiscarded _ -> {}
        }
    }

    private void once(Set<Named> seen, Named named, RunLog log, EventBody event) {
        if (!seen.add(named)) {
            throw broken("a second time in " + log.name() + ": " + event);
        }
    }
}
