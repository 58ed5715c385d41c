package dev.flowstone.server.cli;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.Payloads;

/** Shows a run while it happens, or afterwards. */
interface EventPrinter {
    /** The next event. */
    void event(Event event);

    /** The same as a server told it. */
    void event(JsonObject event);

    /** How it stands, after its last event. */
    void result(RunEnd end);

    default void result(Execution execution, Payloads payloads) {
        result(RunEnd.of(execution, payloads));
    }

    /**
     * For machines or for people.
     *
     * @param again the options that name the same database in another call
     */
    static EventPrinter of(Terminal terminal, boolean json, String again) {
        return json ? new JsonEvents(terminal) : new TimelineText(terminal, NextSteps.ofDatabase(again));
    }
}
