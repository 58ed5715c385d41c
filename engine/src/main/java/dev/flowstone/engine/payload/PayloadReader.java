package dev.flowstone.engine.payload;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Reads values that were set aside. Thread-safe. */
public final class PayloadReader {
    private final Journal journal;

    public PayloadReader(Journal journal) {
        this.journal = journal;
    }

    /** What exists and is whole of these; one query for all. */
    public List<StoredPayload> stored(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        List<StoredPayload> whole = new ArrayList<>(hashes.size());
        journal.payloads(tenant, hashes).forEach((hash, bytes) -> {
            if (Sha256.digest(bytes).equals(hash)) {
                whole.add(new StoredPayload(hash, bytes));
            }
        });
        return whole;
    }

    /**
     * The value itself.
     *
     * @throws IllegalStateException if it isn't in the store
     */
    public JsonValue resolve(TenantId tenant, Payload payload) throws JournalException {
        return switch (payload) {
            case Payload.Inline inline -> inline.value();
            case Payload.Stored stored -> {
                List<StoredPayload> found = stored(tenant, List.of(stored.hash()));
                if (found.isEmpty()) {
                    throw new IllegalStateException("the payload " + stored.hash() + " is missing or damaged");
                }
                yield parse(found.getFirst().bytes());
            }
        };
    }

    /** Parses bytes whose hash was right. */
    public static JsonValue parse(byte[] bytes) {
        try {
            return JsonParser.parse(bytes, JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("a stored payload is no JSON", e);
        }
    }
}
