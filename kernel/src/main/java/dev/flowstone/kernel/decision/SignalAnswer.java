package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.AggregateEvent.SignalMatched;
import dev.flowstone.kernel.event.AggregateEvent.SignalReceived;
import dev.flowstone.kernel.event.EventBody;
import java.util.List;

/** What became of a signal from outside; read from the events of its decision. */
public enum SignalAnswer {
    /** It is on its way to an await, or to several if it was a broadcast. */
    DELIVERED,
    /** Nobody waits yet; it is kept until it expires. */
    KEPT,
    /** A broadcast that nobody waited for. */
    UNHEARD,
    /** It came before under its name, and was dropped. */
    DUPLICATE;

    public static SignalAnswer of(List<EventBody> events) {
        for (EventBody body : events) {
            if (body instanceof SignalReceived received) {
                return fate(events, received);
            }
        }
        return DUPLICATE;
    }

    private static SignalAnswer fate(List<EventBody> events, SignalReceived received) {
        for (EventBody body : events) {
            if (body instanceof SignalMatched matched && matched.signal() == received.signal()) {
                return DELIVERED;
            }
        }
        return received.broadcast() ? UNHEARD : KEPT;
    }
}
