package dev.flowstone.engine.payload;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads values that were set aside. Thread-safe. */
public final class PayloadReader {
    private final Journal journal;

    public PayloadReader(Journal journal) {
        this.journal = journal;
    }

    /** The values that exist and are whole, by hash; one query for all. */
    public Map<Sha256, JsonValue> read(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        Map<Sha256, JsonValue> values = new HashMap<>();
        for (Map.Entry<Sha256, byte[]> found : journal.payloads(tenant, hashes).entrySet()) {
            if (Sha256.digest(found.getValue()).equals(found.getKey())) {
                values.put(found.getKey(), parse(found.getValue()));
            }
        }
        return values;
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
                JsonValue value = read(tenant, List.of(stored.hash())).get(stored.hash());
                if (value == null) {
                    throw new IllegalStateException("the payload " + stored.hash() + " is missing or damaged");
                }
                yield value;
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
