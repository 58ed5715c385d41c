package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values that were set aside and that decisions read, so that a condition costs a query once and not at every decision.
 * What stands under a hash never changes. Belongs to its shard's loop.
 */
final class PayloadCache {
    /** A value that takes more than this part of the cache is read each time. */
    private static final int PARTS = 4;

    private final PayloadReader reader;
    private final long maxBytes;
    private final WeightedCache<Key, JsonValue> values;

    PayloadCache(Journal journal, long maxBytes) {
        this.reader = new PayloadReader(journal);
        this.maxBytes = maxBytes;
        this.values = new WeightedCache<>(maxBytes);
    }

    /** The values that exist and are whole, by hash; one query for all that aren't known. */
    Map<Sha256, JsonValue> read(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        Map<Sha256, JsonValue> found = new HashMap<>();
        List<Sha256> missing = new ArrayList<>(0);
        for (Sha256 hash : hashes) {
            JsonValue known = values.get(new Key(tenant, hash));
            if (known == null) {
                missing.add(hash);
            } else {
                found.put(hash, known);
            }
        }
        if (!missing.isEmpty()) {
            for (StoredPayload stored : reader.stored(tenant, missing)) {
                found.put(stored.hash(), keep(tenant, stored));
            }
        }
        return found;
    }

    /** The value of a payload whose hash is right, kept for later decisions. */
    JsonValue keep(TenantId tenant, StoredPayload stored) {
        JsonValue value = PayloadReader.parse(stored.bytes());
        if (stored.bytes().length <= maxBytes / PARTS) {
            values.put(new Key(tenant, stored.hash()), value, stored.bytes().length);
        }
        return value;
    }

    void clear() {
        values.clear();
    }

    private record Key(TenantId tenant, Sha256 hash) {}
}
