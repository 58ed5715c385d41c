package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Catalog.Turned;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The catalog, and what this node makes of it.
 *
 * @param offer what the node has, whether it tells the catalog or not
 */
public record ActionDesk(Catalog catalog, ActionSwitches switches, Offer offer) {
    private static final System.Logger LOG = System.getLogger(ActionDesk.class.getName());

    public ActionDesk {
        requireNonNull(catalog);
        requireNonNull(switches);
        requireNonNull(offer);
    }

    /**
     * The same as of the catalog, but that what it hasn't and this node has may be turned off, too: it is entered there first, as what no
     * node has told. This node heeds it when it answers, or as soon as it can look; the others soon after.
     */
    public Turned turn(Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by)
            throws JournalException {
        Turned turned = catalog.turn(subject, on, reason, expected, by);
        Optional<Offer> own = offer.only(subject);
        if (turned instanceof Turned.Unknown && !on && expected.orElse(0) == 0 && own.isPresent()) {
            catalog.enter(own.get());
            turned = catalog.turn(subject, on, reason, expected, by);
        }
        if (turned instanceof Turned.Done) {
            LOG.log(Level.INFO, subject + " is " + (on ? "on" : "off") + " now, says " + by);
            heed();
        }
        return turned;
    }

    /** The change is made: that it can't be read at once is no reason to say that it failed. */
    private void heed() {
        try {
            switches.refresh();
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "what is turned off is heeded here after the next look: " + e.getMessage());
        }
    }
}
