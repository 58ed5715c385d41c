package dev.flowstone.server.trigger;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.triggers.event.EventChain;

/** What becomes of the engine's events that triggers want, which nobody sends again. Thread-safe; blocks. */
interface OwnEvents {
    /**
     * Has one event start what one trigger says, or keeps it.
     *
     * @param trigger as it is now
     * @param delivery the same for the same event, and for no other
     * @param event a CloudEvent, which becomes the execution's {@code trigger}
     * @param chain that the execution would be the end of
     * @throws JournalException if nothing was started, and it isn't kept either, though it is to be
     */
    Result takeOwn(Trigger trigger, String delivery, JsonObject event, EventChain chain) throws JournalException;

    /** Keeps one that can't be taken, such as since a row that it needs can't be read; false if it can't be kept now. */
    boolean keepOwn(Trigger trigger, String delivery, JsonObject event, EventChain chain, Throwable why);

    /** Whether what can't be taken is lost, as this installation wants it. */
    boolean keepsNothing();
}
