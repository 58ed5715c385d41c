package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.AggregateState;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.event.EntryWriter;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Outgoing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One decision about an aggregate while it is being made; what {@link Deciding} is to runs. */
final class AggregateDeciding<S extends AggregateState> {
    private final Bounds bounds;
    private final EntryWriter entry;
    private final Instant now;
    private final List<EventBody> events = new ArrayList<>();
    private final List<Outgoing> messages = new ArrayList<>(1);
    private S state;

    AggregateDeciding(Bounds bounds, Stamp stamp, S state, TenantId tenant, RunId id) {
        this.bounds = bounds;
        this.state = state;
        Instant stamped = Times.storable(stamp.time());
        this.now = stamped.isAfter(state.lastEventTime()) ? stamped : state.lastEventTime();
        this.entry = new EntryWriter(
                new EventHeader(
                        EventHeader.SCHEMA,
                        tenant,
                        state.program().workflow(),
                        Aggregates.VERSION,
                        id,
                        state.lastSequence() + 1,
                        now,
                        stamp.effective().map(Times::storable),
                        stamp.actor(),
                        stamp.authorization(),
                        stamp.idempotencyKey(),
                        stamp.causation(),
                        stamp.correlation()),
                state.lastHash());
    }

    Bounds bounds() {
        return bounds;
    }

    MessageBounds messages() {
        return bounds.messages();
    }

    S state() {
        return state;
    }

    Instant now() {
        return now;
    }

    int headerBytes() {
        return entry.headerBytes();
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    void emit(EventBody body) {
        if (!offer(body, Integer.MAX_VALUE)) {
            throw new IllegalStateException("an event of more than 2 GiB");
        }
    }

    /** Emits an event unless it is longer than the declared bound of one. */
    boolean offer(EventBody body) {
        return offer(body, bounds.eventBytes());
    }

    @SuppressWarnings("unchecked")
    private boolean offer(EventBody body, int maxBytes) {
        Event event = entry.append(body, maxBytes);
        if (event == null) {
            return false;
        }
        // A state's fold is of its own class.
        state = (S) state.apply(event);
        events.add(body);
        return true;
    }

    /** Sends a message that the event emitted last has caused; one event causes at most one message to a receiver. */
    void send(RunId to, Message message) {
        Outgoings.add(messages, new Outgoing(to, state.lastSequence(), message));
    }

    Decision.Accepted accepted() {
        return new Decision.Accepted(
                events,
                events.isEmpty() ? Optional.empty() : Optional.of(entry.finish()),
                state,
                List.of(),
                messages,
                false);
    }
}
