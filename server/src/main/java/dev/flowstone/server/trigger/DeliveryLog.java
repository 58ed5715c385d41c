package dev.flowstone.server.trigger;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;

/** Where it is written down what comes for triggers, and what becomes of it. Thread-safe; blocks. */
interface DeliveryLog {
    /** Writes down what came, before anything is done for it; false if its bytes were sent before. Safe to repeat. */
    boolean claim(Arrival arrival) throws JournalException;

    /** Writes down what became of one that was claimed; what is said last holds. */
    void settle(Arrival arrival, Result result);
}
