package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.stream.Stream;

/** A signal that nobody waits for yet is dropped at once. */
public final class LosesEarlySignals extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        boolean early = events.stream().noneMatch(AggregateEvent.SignalMatched.class::isInstance);
        return events.stream()
                .flatMap(event -> early && event instanceof AggregateEvent.SignalReceived body && !body.broadcast()
                        ? Stream.of(event, new AggregateEvent.SignalExpired(body.signal()))
                        : Stream.of(event))
                .toList();
    }
}
