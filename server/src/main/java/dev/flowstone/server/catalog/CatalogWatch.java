package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.time.TimeLeft;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks what operators turn off, and tells the catalog what this node has as long as it is there. Each has a thread of its own: who looks
 * waits for nothing that is told. What can't be told now is told later: a node runs without.
 */
public final class CatalogWatch {
    /** So long may pass until a node heeds what another one was told. */
    static final Duration LOOK = Duration.ofSeconds(2);

    private final Rounds looking;
    private Optional<CatalogTeller> teller = Optional.empty();

    private CatalogWatch(ActionSwitches switches) {
        this.looking = new Rounds("looking what is turned off in the catalog of actions", LOOK, switches::refresh);
    }

    /** Looks until it ends. To be called before anything is run. */
    public static CatalogWatch start(ActionSwitches switches) {
        CatalogWatch watch = new CatalogWatch(requireNonNull(switches));
        Thread.ofVirtual().name("flowstone-catalog").start(watch.looking::run);
        return watch;
    }

    /**
     * Tells the catalog what the node has, and that it is there, until it ends; once, when the node is ready. Returns when it is told, or
     * after five seconds: a catalog that can't be reached holds up no node.
     */
    public void tell(Catalog catalog, String node, Offer offer) {
        teller = Optional.of(CatalogTeller.start(catalog, node, offer));
    }

    /** Ends what goes on, and has the node take its leave; waits for nothing. */
    public void end() {
        looking.end();
        teller.ifPresent(CatalogTeller::end);
    }

    /** After {@link #end}: until the node has taken its leave. If the catalog can't be reached, it counts for nothing once it is silent. */
    public void await(Duration atMost) {
        TimeLeft left = TimeLeft.of(atMost);
        teller.ifPresent(it -> it.await(left));
    }
}
