package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.aggregate.Waiter;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * R20: a signal that its channel took is with one await, or kept, or expired when its time was over; one that came back goes
 * to another. When all is over, each that went to an await was accepted there or handed back. A broadcast goes once to each.
 */
final class SignalGoesToOne implements Invariant {
    private final Map<Signal, Kept> signals = new HashMap<>();
    private final Set<Taken> taken = new HashSet<>();

    private record Signal(RunId channel, long number) {}

    private record Kept(Instant expiresAt, boolean broadcast, Set<Waiter> with, boolean expired) {}

    private record Taken(RunId channel, long number, Waiter by) {}

    @Override
    public String number() {
        return "R20";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (log.state() instanceof ChannelState) {
                inChannel(log.run().run(), event);
            } else if (event.body() instanceof MessageEvent.SignalAccepted body) {
                take(log.run(), body.activation(), body.channel(), body.signal());
            } else if (event.body() instanceof MessageEvent.SignalHandedBack body) {
                take(log.run(), body.activation(), body.channel(), body.signal());
            }
        }
    }

    private void take(RunKey run, ActivationId activation, RunId channel, long signal) {
        if (!taken.add(new Taken(channel, signal, new Waiter(run.run(), activation)))) {
            throw broken("signal " + signal + " of " + channel + " reached " + activation + " of " + run + " twice");
        }
    }

    private void inChannel(RunId channel, Event event) {
        switch (event.body()) {
            case AggregateEvent.SignalReceived body -> {
                Kept kept = new Kept(body.expiresAt(), body.broadcast(), new HashSet<>(), false);
                if (signals.put(new Signal(channel, body.signal()), kept) != null) {
                    throw broken("a number is used twice in " + channel + ": " + body);
                }
            }
            case AggregateEvent.SignalMatched body -> {
                Kept kept = known(channel, body.signal());
                if (kept.expired || (!kept.broadcast && !kept.with.isEmpty())) {
                    throw broken("a signal that was gone already is delivered by " + channel + ": " + body);
                }
                if (!kept.with.add(new Waiter(body.run(), body.activation()))) {
                    throw broken("a broadcast goes twice to one await: " + body);
                }
            }
            case AggregateEvent.SignalTakenBack body -> {
                Kept kept = known(channel, body.signal());
                if (!kept.with.remove(new Waiter(body.run(), body.activation()))) {
                    throw broken("a signal comes back to " + channel + " from who doesn't have it: " + body);
                }
                signals.put(
                        new Signal(channel, body.signal()),
                        new Kept(body.expiresAt(), kept.broadcast, kept.with, false));
            }
            case AggregateEvent.SignalExpired body -> {
                Kept kept = known(channel, body.signal());
                boolean early = kept.expiresAt.isAfter(event.header().eventTime());
                if (kept.expired || early || !kept.with.isEmpty()) {
                    throw broken("a signal expires that isn't kept, or too early, in " + channel + ": " + body);
                }
                signals.put(
                        new Signal(channel, body.signal()), new Kept(kept.expiresAt, kept.broadcast, kept.with, true));
            }
            default -> {}
        }
    }

    private Kept known(RunId channel, long signal) {
        Kept kept = signals.get(new Signal(channel, signal));
        if (kept == null) {
            throw broken(channel + " never received signal " + signal);
        }
        return kept;
    }

    @Override
    public void ended(World world) {
        signals.forEach((signal, kept) -> {
            boolean lost = !kept.broadcast
                    && kept.with.stream()
                            .anyMatch(waiter -> !taken.contains(new Taken(signal.channel, signal.number, waiter)));
            boolean forgotten = !kept.broadcast && kept.with.isEmpty() && !kept.expired;
            if (lost || forgotten) {
                throw broken(signal + " is lost: " + kept);
            }
        });
    }
}
