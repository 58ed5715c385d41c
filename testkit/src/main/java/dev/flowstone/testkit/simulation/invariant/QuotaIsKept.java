package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.testkit.simulation.world.Clients;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * LIMIT: a process begins no more runs in any stretch of its clock's time than its quota allows, by starts and by resets; what came
 * to nothing may be made up for. Nobody is told of a quota where there is none, nor to wait longer than for the next place.
 */
final class QuotaIsKept implements Invariant {
    private static final double SECOND = 1e9;

    /** One for the edges of a stretch. */
    private static final int EDGE = 1;

    private final Map<Clients.Incarnation, Begun> processes = new HashMap<>();
    private int seen;
    private int seenResets;

    /** What one process has begun, by when it was asked for, and how much of what it had let in came to nothing. */
    private static final class Begun {
        final List<Duration> at = new ArrayList<>();
        int givenBack;
    }

    @Override
    public String number() {
        return "LIMIT";
    }

    @Override
    public void stepped(World world) {
        List<Clients.Told> told = world.clients().told();
        for (; seen < told.size(); seen++) {
            check(world.startsPerSecond(), told.get(seen).door(), told.get(seen).answer());
        }
        List<Clients.Reset> resets = world.clients().toldOfResets();
        for (; seenResets < resets.size(); seenResets++) {
            check(
                    world.startsPerSecond(),
                    resets.get(seenResets).door(),
                    resets.get(seenResets).answer());
        }
    }

    private void check(double perSecond, Clients.Door door, StartAnswer answer) {
        Begun begun = processes.computeIfAbsent(door.process(), _ -> new Begun());
        switch (answer) {
            case StartAnswer.OverQuota over -> {
                if (perSecond == 0) {
                    throw broken("nobody has a quota: " + over);
                }
                double longest = Math.max(1, 1 / perSecond) + 1;
                if (over.retryAfter().isNegative()
                        || over.retryAfter().isZero()
                        || over.retryAfter().toNanos() / SECOND > longest) {
                    throw broken("told to wait for " + over.retryAfter() + " at " + perSecond + " starts a second");
                }
            }
            case StartAnswer.Started _ -> {
                begun.at.add(door.at());
                if (perSecond > 0) {
                    check(perSecond, door, begun);
                }
            }
            case StartAnswer.Existing _, StartAnswer.OtherWorkflow _, StartAnswer.Refused _, StartAnswer.Busy _ ->
                begun.givenBack++;
        }
    }

    /** Of all stretches that begin or end with this one. */
    private void check(double perSecond, Clients.Door door, Begun begun) {
        for (Duration other : begun.at) {
            Duration from = other.compareTo(door.at()) < 0 ? other : door.at();
            Duration to = other.compareTo(door.at()) < 0 ? door.at() : other;
            long within = begun.at.stream()
                    .filter(at -> at.compareTo(from) >= 0 && at.compareTo(to) <= 0)
                    .count();
            double most =
                    Math.max(1, perSecond) + perSecond * to.minus(from).toNanos() / SECOND + begun.givenBack + EDGE;
            if (within > most) {
                throw broken(door.process() + " began " + within + " runs between " + from + " and " + to + " at "
                        + perSecond + " a second");
            }
        }
    }
}
