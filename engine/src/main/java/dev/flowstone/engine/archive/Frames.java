package dev.flowstone.engine.archive;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An entry's bytes as JSON values and back: a frame is a length of 4 bytes and canonical JSON, so the values alone give every
 * byte again. What isn't so is left as bytes.
 */
final class Frames {
    private Frames() {}

    /** The values, first the header; empty unless {@link #join} gives exactly these bytes again. */
    static Optional<List<JsonValue>> split(byte[] entry) {
        List<JsonValue> values = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(entry);
        while (in.hasRemaining()) {
            if (in.remaining() < 4) {
                return Optional.empty();
            }
            int length = in.getInt();
            if (length < 0 || length > in.remaining()) {
                return Optional.empty();
            }
            byte[] frame = new byte[length];
            in.get(frame);
            Optional<JsonValue> value = value(frame);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return values.size() < 2 ? Optional.empty() : Optional.of(values);
    }

    /** The value of canonical bytes; empty if they are no canonical JSON. */
    static Optional<JsonValue> value(byte[] canonical) {
        try {
            JsonValue value = JsonParser.parse(canonical, JsonLimits.STORED);
            return Arrays.equals(CanonicalJson.exact(value), canonical) ? Optional.of(value) : Optional.empty();
        } catch (JsonSyntaxException e) {
            return Optional.empty();
        }
    }

    static byte[] join(List<JsonValue> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (JsonValue value : values) {
            byte[] frame = CanonicalJson.exact(value);
            out.writeBytes(ByteBuffer.allocate(4).putInt(frame.length).array());
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }
}
