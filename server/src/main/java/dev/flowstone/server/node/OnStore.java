package dev.flowstone.server.node;

import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.engine.read.BacklogReader;
import dev.flowstone.engine.read.DeadRowReader;
import dev.flowstone.postgres.Sweeping;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.metric.SweptRows;
import java.time.Instant;
import java.util.Optional;

/** A Flowstone's own database, and what looks after it while it is open. */
final class OnStore implements Below {
    private final Store store;
    private final Upkeep upkeep;
    private final Sweeping sweeping;
    private final SweptRows swept = new SweptRows();

    OnStore(Store store, FlowstoneConfig.Sweep sweep) {
        this.store = store;
        this.upkeep = Upkeep.of(store.postgres().partitions());
        this.sweeping = Sweeping.of(
                store.postgres().sweeper(sweep.keeping()),
                sweep.every(),
                piece -> swept.add(piece.kind(), piece.removed()));
    }

    @Override
    public Optional<Instant> preparedUntil() {
        return Optional.of(store.postgres().partitions().until());
    }

    @Override
    public Optional<BacklogReader> backlog() {
        return Optional.of(store.postgres().backlog());
    }

    @Override
    public Optional<DeadRowReader> deadRows() {
        return Optional.of(store.postgres().deadRows());
    }

    @Override
    public Optional<SweptRows> swept() {
        return Optional.of(swept);
    }

    @Override
    public Optional<PostBox> postBox() {
        return Optional.of(store.postgres().postBox());
    }

    @Override
    public void close() {
        sweeping.close();
        upkeep.close();
        store.close();
    }
}
