package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The values of an answer's payloads, fetched in one query. Bounded: what would make the answer larger than the bound
 * stands as {@code {"payload": hash, "bytes": length}}.
 */
public final class Payloads {
    private static final long MOST_BYTES = 8L << 20;

    private final Map<Sha256, JsonValue> stored;

    private Payloads(Map<Sha256, JsonValue> stored) {
        this.stored = stored;
    }

    public static Payloads of(RunReader runs, TenantId tenant, Collection<Payload> payloads) throws JournalException {
        Set<Sha256> wanted = new LinkedHashSet<>();
        long bytes = 0;
        for (Payload payload : payloads) {
            if (payload instanceof Payload.Stored(Sha256 hash, long length)
                    && bytes + length <= MOST_BYTES
                    && wanted.add(hash)) {
                bytes += length;
            }
        }
        Map<Sha256, JsonValue> stored = new HashMap<>();
        if (!wanted.isEmpty()) {
            for (Map.Entry<Sha256, byte[]> entry : runs.payloads(tenant, wanted).entrySet()) {
                stored.put(entry.getKey(), parse(entry.getKey(), entry.getValue()));
            }
        }
        return new Payloads(stored);
    }

    public JsonValue value(Payload payload) {
        return switch (payload) {
            case Payload.Inline(JsonValue value) -> value;
            case Payload.Stored(Sha256 hash, long bytes) -> {
                JsonValue value = stored.get(requireNonNull(hash));
                yield value != null
                        ? value
                        : JsonObject.builder()
                                .put("payload", hash.toString())
                                .put("bytes", bytes)
                                .build();
            }
        };
    }

    private static JsonValue parse(Sha256 hash, byte[] bytes) {
        try {
            return JsonParser.parse(bytes, JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("payload " + hash + " is no JSON any more", e);
        }
    }
}
