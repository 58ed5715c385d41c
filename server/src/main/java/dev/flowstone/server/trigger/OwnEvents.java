package dev.flowstone.server.trigger;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.triggers.event.EventChain;

/** What becomes of the engine's events that triggers want, which nobody sends again. Thread-safe; blocks. */
interface OwnEvents {
    /**
     * What comes for a trigger once, however often it is tried.
     *
     * @param delivery the same for the same event, and for no other
     */
    Arrival arrival(Trigger trigger, String delivery);

    /**
     * Has one event start what one trigger says, or keeps it. May be repeated.
     *
     * @param trigger as it is now
     * @param event a CloudEvent, which becomes the execution's {@code trigger}
     * @param chain that the execution would be the end of
     * @throws JournalException if nothing was started, and it isn't kept either, though it is to be
     */
    Result takeOwn(Trigger trigger, Arrival arrival, JsonObject event, EventChain chain) throws JournalException;

    /** Keeps one that can't be taken, such as since a row that it needs can't be read; false if it can't be kept now. */
    boolean keepOwn(Arrival arrival, JsonObject event, EventChain chain, Throwable why);

    /** Whether what can't be taken is lost, as this installation wants it. */
    boolean keepsNothing();

    /** The node stops: what is busy then isn't kept any more, since whoever comes next takes it. */
    void end();
}
