package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Off;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.ActionSwitch;
import dev.flowstone.kernel.id.HandlerName;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What operators have turned off, as of when this node last looked: asked for each attempt, and when a definition is published. */
public final class ActionSwitches implements ActionSwitch {
    private final Catalog catalog;
    private final AtomicLong looks = new AtomicLong();
    private volatile Looked last = new Looked(0, Off.NOTHING);

    /** What was off after a look had begun; looks are counted. */
    private record Looked(long look, Off off) {}

    /** Nothing is off until somebody looks. */
    public ActionSwitches(Catalog catalog) {
        this.catalog = requireNonNull(catalog);
    }

    /** Looks again. What was off before it was called counts from when it returns on, however many look at the same time. */
    public void refresh() throws JournalException {
        long look = looks.incrementAndGet();
        Off found = catalog.off();
        synchronized (looks) {
            // Who began later saw all that this one saw.
            if (look > last.look) {
                last = new Looked(look, found);
            }
        }
    }

    /** Whether nothing is off. */
    public boolean areAllOn() {
        Off off = last.off;
        return off.actions().isEmpty() && off.connectors().isEmpty();
    }

    @Override
    public Optional<String> refusal(HandlerName action) {
        return refusal(action.value());
    }

    /** Why an action is neither run nor published, and what to do; empty if it is. */
    public Optional<String> refusal(String action) {
        Off now = last.off;
        if (now.actions().contains(action)) {
            return Optional.of("an operator has turned off the action '" + action + "'; POST /api/v1/actions/" + action
                    + "/enable turns it on");
        }
        String connector = Subject.connectorOf(action).id();
        return now.connectors().contains(connector)
                ? Optional.of("an operator has turned off the connector '" + connector + "' with all its actions;"
                        + " POST /api/v1/connectors/" + connector + "/enable turns it on")
                : Optional.empty();
    }
}
