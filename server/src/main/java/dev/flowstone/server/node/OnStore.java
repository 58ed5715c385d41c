package dev.flowstone.server.node;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.engine.read.BacklogReader;
import dev.flowstone.engine.read.DeadRowReader;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.postgres.Sweeping;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.health.HealthSources.CountReader;
import dev.flowstone.server.health.HealthSources.PartitionReader;
import dev.flowstone.server.metric.SweptRows;
import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** A Flowstone's own database, and what looks after it while it is open. */
final class OnStore implements Below {
    private final Store store;
    private final Upkeep upkeep;
    private final Sweeping sweeping;
    private final SweptRows swept = new SweptRows();

    /** Where the database keeps its files, if they are on this machine. */
    private final Optional<Path> files;

    OnStore(Store store, FlowstoneConfig config) {
        FlowstoneConfig.Sweep sweep = config.sweep();
        this.store = store;
        this.files = config.database().url().isPresent()
                ? Optional.empty()
                : Optional.of(config.database().data());
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
    public Optional<Suspects> suspects() {
        return Optional.of(store.postgres().suspects());
    }

    @Override
    public Optional<Journal> beside() {
        return Optional.of(store.postgres().beside());
    }

    @Override
    public Optional<PartitionReader> partitions() {
        return Optional.of(store.postgres().partitions()::readyUntil);
    }

    @Override
    public Optional<CountReader> freeConnections() {
        return Optional.of(store.postgres().room()::freeConnections);
    }

    @Override
    public Optional<Long> freeDisk() {
        return files.map(Path::toFile).map(File::getUsableSpace);
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
    public Subscriptions subscriptions() {
        return store.postgres().subscriptions();
    }

    @Override
    public Triggers triggers() {
        return store.postgres().triggers();
    }

    @Override
    public WorkflowTemplates workflowTemplates() {
        return store.postgres().workflowTemplates();
    }

    @Override
    public Templates templates() {
        return store.postgres().templates();
    }

    @Override
    public Catalog catalog() {
        return store.postgres().catalog();
    }

    @Override
    public void end() {
        sweeping.end();
    }

    @Override
    public void close() {
        sweeping.close();
        upkeep.close();
        store.close();
    }
}
