package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Off;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.ActionSwitch;
import dev.flowstone.kernel.id.HandlerName;
import java.util.Optional;

/** What operators have turned off, as of when this node last looked: asked for each attempt, and when a definition is published. */
public final class ActionSwitches implements ActionSwitch {
    private final Catalog catalog;
    private volatile Off off = Off.NOTHING;

    /** Nothing is off until somebody looks. */
    public ActionSwitches(Catalog catalog) {
        this.catalog = requireNonNull(catalog);
    }

    /** Looks again. */
    public void refresh() throws JournalException {
        off = catalog.off();
    }

    /** Whether nothing is off. */
    public boolean areAllOn() {
        return off.actions().isEmpty() && off.connectors().isEmpty();
    }

    @Override
    public Optional<String> refusal(HandlerName action) {
        return refusal(action.value());
    }

    /** Why an action is neither run nor published, and what to do; empty if it is. */
    public Optional<String> refusal(String action) {
        Off now = off;
        if (now.actions().contains(action)) {
            return Optional.of("an operator has turned off the action '" + action + "'; POST /api/v1/actions/" + action
                    + "/enable turns it on");
        }
        String connector = connectorOf(action);
        return now.connectors().contains(connector)
                ? Optional.of("an operator has turned off the connector '" + connector + "' with all its actions;"
                        + " POST /api/v1/connectors/" + connector + "/enable turns it on")
                : Optional.empty();
    }

    /** The part of its name before the first dot. */
    private static String connectorOf(String action) {
        int dot = action.indexOf('.');
        return dot < 0 ? action : action.substring(0, dot);
    }
}
