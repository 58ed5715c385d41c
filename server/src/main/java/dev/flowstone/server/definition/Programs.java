package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stored programs by hash, decoded once; the ones used last are kept. Thread-safe. */
public final class Programs {
    private static final int KEPT = 256;

    private final WorkflowStore store;

    // Keyed by tenant too: that somebody else's program has this hash must not make it readable.
    private final Map<Key, PublishedProgram> kept = new LinkedHashMap<>(64, 0.75f, true);

    public Programs(WorkflowStore store) {
        this.store = requireNonNull(store);
    }

    public PublishedProgram program(TenantId tenant, Sha256 hash) throws JournalException {
        Key key = new Key(tenant, hash);
        PublishedProgram known = get(key);
        if (known != null) {
            return known;
        }
        byte[] bytes = store.program(tenant, hash)
                .orElseThrow(() -> new IllegalStateException("program " + hash + " of " + tenant + " isn't stored"));
        Program program = ProgramCodec.decode(bytes);
        PublishedProgram loaded = new PublishedProgram(program, TriggerSchema.of(program));
        put(key, loaded);
        return loaded;
    }

    private synchronized @Nullable PublishedProgram get(Key key) {
        return kept.get(key);
    }

    private synchronized void put(Key key, PublishedProgram program) {
        kept.put(key, program);
        if (kept.size() > KEPT) {
            var eldest = kept.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    private record Key(TenantId tenant, Sha256 hash) {}
}
