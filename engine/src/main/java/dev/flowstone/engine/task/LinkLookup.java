package dev.flowstone.engine.task;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;
import java.util.function.Function;

/** Whether a resource exists that there is once in a tenant: asked before another one is made. */
@FunctionalInterface
public interface LinkLookup {
    /** For places where nothing is linked. */
    LinkLookup NONE = (type, key) -> Optional.empty();

    /** What there is in any tenant, read off the histories of the links themselves. */
    static Function<TenantId, LinkLookup> of(RunHistory histories, PayloadReader payloads) {
        return new Links(histories, payloads)::of;
    }

    /** The resource as far as is known now; empty if nobody has linked it. */
    Optional<Found> find(String type, String key) throws JournalException;

    /** Whose it is, and what it was linked with. */
    record Found(RunId owner, JsonValue content) {}
}
