package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.Optional;

/** Stored programs by hash, decoded once, and which one a version has; the ones used last are kept. Thread-safe. */
public final class Programs {
    private static final int KEPT = 256;
    private static final int KEPT_VERSIONS = 10_000;

    private final WorkflowStore store;

    // Keyed by tenant too: that somebody else's program has this hash must not make it readable.
    private final Kept<Key, PublishedProgram> programs = new Kept<>(KEPT);

    private final Kept<Version, Sha256> versions = new Kept<>(KEPT_VERSIONS);

    public Programs(WorkflowStore store) {
        this.store = requireNonNull(store);
    }

    public PublishedProgram program(TenantId tenant, Sha256 hash) throws JournalException {
        Key key = new Key(tenant, hash);
        PublishedProgram known = programs.get(key);
        if (known != null) {
            return known;
        }
        byte[] bytes = store.program(tenant, hash)
                .orElseThrow(() -> new IllegalStateException("program " + hash + " of " + tenant + " isn't stored"));
        Program program = ProgramCodec.decode(bytes);
        PublishedProgram loaded = new PublishedProgram(program, TriggerSchema.of(program));
        programs.put(key, loaded);
        return loaded;
    }

    /** The same for who can do without: nothing if it can't be read now. */
    public Optional<Program> readable(TenantId tenant, Sha256 hash) {
        try {
            return Optional.of(program(tenant, hash).program());
        } catch (JournalException e) {
            return Optional.empty();
        }
    }

    /** The program of the workflow's current version, which it has for ever. */
    public Sha256 current(WorkflowRow row) throws JournalException {
        Version version = new Version(row.tenant(), row.id(), row.currentVersion());
        Sha256 known = versions.get(version);
        if (known != null) {
            return known;
        }
        Sha256 program = store.version(row.tenant(), row.id(), row.currentVersion())
                .orElseThrow(() -> new IllegalStateException(
                        "workflow " + row.id() + " points at version " + row.currentVersion() + ", which isn't there"))
                .program();
        versions.put(version, program);
        return program;
    }

    private record Key(TenantId tenant, Sha256 hash) {}

    private record Version(TenantId tenant, WorkflowId workflow, int number) {}
}
