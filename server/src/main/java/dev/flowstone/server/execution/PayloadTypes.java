package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What kinds of JSON payloads are; of those that are stored beside their events nothing but the first byte is fetched, in one query. */
public final class PayloadTypes {
    private final Map<Sha256, Byte> stored;

    private PayloadTypes(Map<Sha256, Byte> stored) {
        this.stored = stored;
    }

    public static PayloadTypes of(RunReader runs, TenantId tenant, Collection<Payload> payloads)
            throws JournalException {
        Set<Sha256> hashes = payloads.stream()
                .flatMap(payload -> payload instanceof Payload.Stored(Sha256 hash, long _)
                        ? Optional.of(requireNonNull(hash)).stream()
                        : Optional.<Sha256>empty().stream())
                .collect(Collectors.toUnmodifiableSet());
        return new PayloadTypes(hashes.isEmpty() ? Map.of() : runs.firstBytes(tenant, hashes));
    }

    /** As JSON's kinds are called; empty if the content isn't there. */
    Optional<String> of(Payload payload) {
        return switch (payload) {
            case Payload.Inline(JsonValue value) -> Optional.of(word(value));
            case Payload.Stored(Sha256 hash, long _) ->
                Optional.ofNullable(stored.get(requireNonNull(hash))).map(PayloadTypes::word);
        };
    }

    private static String word(JsonValue value) {
        return switch (value) {
            case JsonObject _ -> "object";
            case JsonArray _ -> "array";
            case JsonString _ -> "string";
            case JsonNumber _ -> "number";
            case JsonBoolean _ -> "boolean";
            case JsonNull _ -> "null";
        };
    }

    private static String word(byte first) {
        return switch (first) {
            case '{' -> "object";
            case '[' -> "array";
            case '"' -> "string";
            case 't', 'f' -> "boolean";
            case 'n' -> "null";
            default -> "number";
        };
    }
}
