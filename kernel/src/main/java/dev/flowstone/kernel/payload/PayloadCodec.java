package dev.flowstone.kernel.payload;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/** {@code {"inline": value}} or {@code {"bytes": n, "stored": hash}}; the member {@code sealed} is reserved. */
public final class PayloadCodec {
    private PayloadCodec() {}

    public static JsonObject write(Payload payload) {
        return switch (payload) {
            case Payload.Inline inline ->
                JsonObject.builder().put("inline", inline.value()).build();
            case Payload.Stored stored ->
                JsonObject.builder()
                        .put("bytes", stored.bytes())
                        .put("stored", stored.hash().toString())
                        .build();
        };
    }

    public static Payload read(JsonCursor at) {
        Optional<JsonCursor> inline = at.find("inline");
        return inline.isPresent()
                ? new Payload.Inline(inline.get().value())
                : new Payload.Stored(at.as("stored", Sha256::parse), at.longValue("bytes"));
    }
}
