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
import dev.flowstone.server.health.HealthSources.CountReader;
import dev.flowstone.server.health.HealthSources.PartitionReader;
import dev.flowstone.server.metric.SweptRows;
import java.time.Instant;
import java.util.Optional;

/** What a Flowstone stands on: closed after it, and watched. */
@FunctionalInterface
public interface Below extends AutoCloseable {
    /** Up to when the journal has room made ahead; empty if it needs none. */
    default Optional<Instant> preparedUntil() {
        return Optional.empty();
    }

    /** What waits in the database; empty where there is none. */
    default Optional<BacklogReader> backlog() {
        return Optional.empty();
    }

    /** Rows of the database that nothing needs any more; empty where there is none. */
    default Optional<DeadRowReader> deadRows() {
        return Optional.empty();
    }

    /** Rows that may tell of runs that stand still; empty where there is no database. */
    default Optional<Suspects> suspects() {
        return Optional.empty();
    }

    /** The journal for who only looks, beside those who commit; empty where there is no database. */
    default Optional<Journal> beside() {
        return Optional.empty();
    }

    /** Looks again up to when the journal has room made ahead; empty if it needs none. */
    default Optional<PartitionReader> partitions() {
        return Optional.empty();
    }

    /** Connections that the database would still take; empty where there is none. */
    default Optional<CountReader> freeConnections() {
        return Optional.empty();
    }

    /** Bytes that the database's disk has left; empty where that isn't this machine's. */
    default Optional<Long> freeDisk() {
        return Optional.empty();
    }

    /** What was removed from the database; empty where nothing is. */
    default Optional<SweptRows> swept() {
        return Optional.empty();
    }

    /** Where nodes leave calls for each other; empty where there is no database that others see. */
    default Optional<PostBox> postBox() {
        return Optional.empty();
    }

    /** Who gets which events; nobody where they aren't kept. */
    default Subscriptions subscriptions() {
        return Subscriptions.none();
    }

    /** What starts executions; nothing where that isn't kept. */
    default Triggers triggers() {
        return Triggers.none();
    }

    /** Workflow templates; none where they aren't kept. */
    default WorkflowTemplates workflowTemplates() {
        return WorkflowTemplates.none();
    }

    /** Document templates; none where they aren't kept. */
    default Templates templates() {
        return Templates.none();
    }

    /** Connectors and actions, as nodes have them; none where that isn't kept. */
    default Catalog catalog() {
        return Catalog.none();
    }

    /** Begins nothing more; what is under way has until {@link #close}. Returns at once. */
    default void end() {}

    @Override
    void close();
}
