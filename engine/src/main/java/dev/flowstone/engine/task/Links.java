package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.AggregateEvent.ResourceLinked;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.TenantId;
import java.util.Optional;

/** Reads links off their own histories, which begin with whoever was first. */
final class Links {
    private static final int BEGINNING = 10;

    private final RunHistory histories;
    private final PayloadReader payloads;

    Links(RunHistory histories, PayloadReader payloads) {
        this.histories = requireNonNull(histories);
        this.payloads = requireNonNull(payloads);
    }

    LinkLookup of(TenantId tenant) {
        return (type, key) -> find(tenant, type, key);
    }

    private Optional<LinkLookup.Found> find(TenantId tenant, String type, String key) throws JournalException {
        for (Event event : histories.page(tenant, Aggregates.link(tenant, type, key), 1, BEGINNING)) {
            if (event.body() instanceof ResourceLinked linked) {
                return Optional.of(new LinkLookup.Found(linked.run(), payloads.resolve(tenant, linked.content())));
            }
        }
        return Optional.empty();
    }
}
