package dev.flowstone.server.cli;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.Payloads;

/** Shows a run while it happens, or afterwards. */
interface EventPrinter {
    /** The next event. */
    void event(Event event);

    /** How it stands, after its last event. */
    void result(Execution execution, Payloads payloads);

    static EventPrinter of(Terminal terminal, boolean json, String again) {
        return json ? new JsonEvents(terminal) : new TimelineText(terminal, again);
    }
}
