package dev.flowstone.engine.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Programs by hash, the most recently used ones in memory. Safe to use from every thread; a program that two threads miss
 * at once is read twice and kept once.
 */
public final class Programs {
    private final WorkflowStore store;
    private final Map<Key, Program> cache;

    /**
     * Reads through to the store.
     *
     * @param capacity how many programs are kept in memory
     */
    public Programs(WorkflowStore store, int capacity) {
        this.store = requireNonNull(store);
        this.cache = new Recent(capacity);
    }

    /**
     * The program, if the tenant has one with this hash; the built-in ones of aggregates belong to every tenant.
     *
     * @throws IllegalStateException if its stored bytes are not what was published
     */
    public Optional<Program> find(TenantId tenant, Sha256 hash) throws JournalException {
        Optional<Program> builtIn = Aggregates.program(hash);
        if (builtIn.isPresent()) {
            return builtIn;
        }
        Key key = new Key(tenant, hash);
        synchronized (cache) {
            Program known = cache.get(key);
            if (known != null) {
                return Optional.of(known);
            }
        }
        Optional<byte[]> bytes = store.program(tenant, hash);
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        if (!Sha256.digest(bytes.get()).equals(hash)) {
            throw new IllegalStateException("the stored program " + hash + " is damaged");
        }
        Program program = ProgramCodec.decode(bytes.get());
        synchronized (cache) {
            return Optional.of(requireNonNull(cache.computeIfAbsent(key, absent -> program)));
        }
    }

    /** Keeps a program that was just published, so that the first start needn't read it. */
    public void put(TenantId tenant, Sha256 hash, Program program) {
        synchronized (cache) {
            cache.put(new Key(tenant, hash), program);
        }
    }

    private record Key(TenantId tenant, Sha256 hash) {}

    private static final class Recent extends LinkedHashMap<Key, Program> {
        private static final long serialVersionUID = 1L;

        private final int capacity;

        Recent(int capacity) {
            super(16, 0.75f, true);
            this.capacity = capacity;
        }

        @Override
        protected boolean removeEldestEntry(Map.@Nullable Entry<Key, Program> eldest) {
            return size() > capacity;
        }
    }
}
