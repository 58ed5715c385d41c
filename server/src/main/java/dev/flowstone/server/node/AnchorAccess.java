package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.verify.HistoryAnchor;
import dev.flowstone.engine.verify.HistoryAnchor.Point;
import dev.flowstone.engine.verify.HistoryAnchors;
import dev.flowstone.engine.verify.HistoryAnchors.Comparison;
import java.util.List;

/** A database's history as a whole: how far it is, and whether it is at least as far as it was. */
public final class AnchorAccess {
    private final Store store;

    AnchorAccess(Store store) {
        this.store = requireNonNull(store);
    }

    private HistoryAnchors anchors() {
        return new HistoryAnchors(store.ports().feed(), store.entries());
    }

    /** How far it is now. */
    public HistoryAnchor take() throws JournalException {
        List<Integer> streams =
                store.ports().leases().shards().stream().map(Shard::stream).toList();
        return anchors().take(streams, store.ports().clock().now());
    }

    /** Looks for what an anchor holds. A run that is missing counts as another history, unless its month was archived. */
    public Comparison compare(HistoryAnchor anchor) throws JournalException {
        Comparison found = anchors().compare(anchor);
        if (found instanceof Comparison.Same same) {
            for (Point point : same.gone()) {
                RunKey run = point.run();
                if (store.ports().runs().archives(run.tenant(), run.run()).isEmpty()) {
                    return new Comparison.Other(point);
                }
            }
        }
        return found;
    }
}
