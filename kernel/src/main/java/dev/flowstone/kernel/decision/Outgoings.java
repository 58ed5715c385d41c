package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.message.Outgoing;
import java.util.List;

/** The messages of one decision. */
final class Outgoings {
    private Outgoings() {}

    /** Adds one; messages of one event stand together, so only its own can clash with it (R21). */
    static void add(List<Outgoing> messages, Outgoing message) {
        for (int i = messages.size() - 1; i >= 0 && messages.get(i).number() == message.number(); i--) {
            if (messages.get(i).to().equals(message.to())) {
                throw new IllegalStateException(
                        "event " + message.number() + " causes two messages to " + message.to());
            }
        }
        messages.add(message);
    }
}
