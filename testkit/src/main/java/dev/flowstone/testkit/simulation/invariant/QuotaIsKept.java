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
 * LIMIT: a process begins no more runs in any stretch of its clock's time than its quota allows, by starts and by resets; what it
 * had let in before the stretch, and came to nothing within it, may be made up for. Nobody is told of a quota where there is none, nor
 * to wait longer than for the next place.
 */
final class QuotaIsKept implements Invariant {
    private static final double SECOND = 1e9;

    /** A pace's step is a whole number of nanoseconds. */
    private static final double ROUNDING = 1e-3;

    private final Map<Clients.Incarnation, Asked> processes = new HashMap<>();
    private int seen;
    private int seenResets;

    /** What one process was asked for: what it began, by when it was asked, and what came to nothing. */
    private static final class Asked {
        final List<Duration> begun = new ArrayList<>();
        final List<Clients.Door> nothing = new ArrayList<>();
    }

    @Override
    public String number() {
        return "LIMIT";
    }

    @Override
    public void stepped(World world) {
        double perSecond = world.startsPerSecond();
        List<Clients.Told> told = world.clients().told();
        List<Clients.Reset> resets = world.clients().toldOfResets();
        if (seen == told.size() && seenResets == resets.size()) {
            return;
        }
        for (; seen < told.size(); seen++) {
            heard(perSecond, told.get(seen).door(), told.get(seen).answer());
        }
        for (; seenResets < resets.size(); seenResets++) {
            heard(
                    perSecond,
                    resets.get(seenResets).door(),
                    resets.get(seenResets).answer());
        }
        judge(perSecond);
    }

    /** Somebody heard this. */
    void heard(double perSecond, Clients.Door door, StartAnswer answer) {
        Asked asked = processes.computeIfAbsent(door.process(), _ -> new Asked());
        switch (answer) {
            case StartAnswer.OverQuota over -> mayWait(perSecond, over);
            case StartAnswer.Started _ -> asked.begun.add(door.asked());
            case StartAnswer.Existing _, StartAnswer.OtherWorkflow _, StartAnswer.Refused _, StartAnswer.Busy _ ->
                asked.nothing.add(door);
        }
    }

    private void mayWait(double perSecond, StartAnswer.OverQuota over) {
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

    /** Looks at every stretch from one beginning to another. */
    void judge(double perSecond) {
        if (perSecond == 0) {
            return;
        }
        processes.forEach((process, asked) -> {
            for (Duration from : asked.begun) {
                for (Duration to : asked.begun) {
                    if (from.compareTo(to) <= 0) {
                        judge(perSecond, process, asked, from, to);
                    }
                }
            }
        });
    }

    private void judge(double perSecond, Clients.Incarnation process, Asked asked, Duration from, Duration to) {
        long begun = asked.begun.stream()
                .filter(at -> at.compareTo(from) >= 0 && at.compareTo(to) <= 0)
                .count();
        long madeUpFor = asked.nothing.stream()
                .filter(door -> door.asked().compareTo(from) < 0 && door.heard().compareTo(from) >= 0)
                .count();
        double most = Math.max(1, perSecond) + perSecond * to.minus(from).toNanos() / SECOND + madeUpFor + ROUNDING;
        if (begun > most) {
            throw broken(process + " began " + begun + " runs between " + from + " and " + to + " at " + perSecond
                    + " a second");
        }
    }
}
