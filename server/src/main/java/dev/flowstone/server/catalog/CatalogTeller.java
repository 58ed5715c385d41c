package dev.flowstone.server.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.TimeLeft;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the catalog what a node has, that it is still there, and last that it goes: one thread, so that nothing is told after that. */
final class CatalogTeller {
    /** Several times within {@link Catalog#SILENT_AFTER}. */
    private static final Duration SAY = Duration.ofSeconds(30);

    /** So long does a node wait for its entry, which only who asks for its actions misses. */
    private static final Duration FIRST = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger(CatalogTeller.class.getName());

    private final Catalog catalog;
    private final String node;
    private final Offer offer;
    private final Rounds telling =
            new Rounds("telling the catalog of actions what this node has", CatalogWatch.LOOK, this::tell);
    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofVirtual().name("flowstone-catalog-teller").unstarted(this::work);
    private long said;

    private CatalogTeller(Catalog catalog, String node, Offer offer) {
        this.catalog = requireNonNull(catalog);
        this.node = requireNonNull(node);
        this.offer = requireNonNull(offer);
    }

    /** Returns when it is told for the first time, or when that takes too long. */
    static CatalogTeller start(Catalog catalog, String node, Offer offer) {
        CatalogTeller teller = new CatalogTeller(catalog, node, offer);
        teller.thread.start();
        try {
            boolean _ = teller.told.await(FIRST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return teller;
    }

    /** Has the node take its leave, after what is being told. */
    void end() {
        telling.end();
    }

    /** Until it has. */
    void await(TimeLeft left) {
        try {
            boolean _ = left.join(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        telling.run();
        leave();
    }

    private boolean isTold() {
        return told.getCount() == 0;
    }

    private void tell() throws JournalException {
        if (isTold() && System.nanoTime() - said < SAY.toNanos()) {
            return;
        }
        if (!isTold() || !catalog.seen(node)) {
            catalog.register(node, offer);
        }
        said = System.nanoTime();
        told.countDown();
    }

    private void leave() {
        try {
            catalog.leave(node);
        } catch (JournalException | RuntimeException e) {
            // It counts for nothing once it is silent.
            LOG.log(Level.DEBUG, "the catalog of actions isn't told that this node goes", e);
        }
    }
}
