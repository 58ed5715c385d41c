package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.journal.JournalException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells the catalog what this node has, as long as it is there, and looks what operators turn off. What can't be told now is told later:
 * a node runs without.
 */
public final class CatalogWatch implements AutoCloseable {
    /** So long may pass until a node heeds what another one was told. */
    static final Duration LOOK = Duration.ofSeconds(2);

    /** Several times within {@link Catalog#SILENT_AFTER}. */
    private static final Duration SAY = Duration.ofSeconds(30);

    /** For a goodbye. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(CatalogWatch.class.getName());

    private final ActionDesk desk;
    private final String node;
    private final Optional<Offer> offer;
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean known;
    private long said;

    private CatalogWatch(ActionDesk desk, String node, Optional<Offer> offer) {
        this.desk = requireNonNull(desk);
        this.node = requireNonNull(node);
        this.offer = requireNonNull(offer);
    }

    /**
     * Tells it what there is, and watches until it is closed.
     *
     * @param offer empty if nothing is to be told
     */
    public static CatalogWatch start(ActionDesk desk, String node, Optional<Offer> offer) {
        CatalogWatch watch = new CatalogWatch(desk, node, offer);
        watch.lookOnce();
        Thread.ofVirtual().name("flowstone-catalog").start(watch::look);
        return watch;
    }

    private void look() {
        try {
            while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                lookOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookOnce() {
        try {
            desk.switches().refresh();
            if (offer.isPresent() && (!known || System.nanoTime() - said > SAY.toNanos())) {
                tell(offer.get());
            }
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "the catalog of actions can't be reached now: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "keeping the catalog of actions failed", e);
        }
    }

    private void tell(Offer what) throws JournalException {
        if (!known || !desk.catalog().seen(node)) {
            desk.catalog().register(node, what);
        }
        known = true;
        said = System.nanoTime();
    }

    /** The node has nothing any more. A database that doesn't answer holds up nobody who stops. */
    @Override
    public void close() {
        closed.countDown();
        if (offer.isPresent()) {
            Thread leaving = Thread.ofVirtual().name("flowstone-catalog-leave").start(this::leave);
            try {
                boolean _ = leaving.join(GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void leave() {
        try {
            desk.catalog().leave(node);
        } catch (JournalException e) {
            // It counts for nothing once it is silent.
            LOG.log(Level.DEBUG, "the catalog of actions isn't told that this node goes", e);
        }
    }
}
