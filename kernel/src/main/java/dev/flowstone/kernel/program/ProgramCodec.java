package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;

/**
 * A program's canonical JSON, and its hash. Equal programs have equal bytes, in every process; reading gives back an equal
 * program. The form's version stands in it as {@code format}; programs of old formats stay readable for ever.
 */
public final class ProgramCodec {
    private ProgramCodec() {}

    /** The canonical exact bytes; what {@link #hash} covers. */
    public static byte[] encode(Program program) {
        return CanonicalJson.exact(json(program));
    }

    public static JsonObject json(Program program) {
        return ProgramWriter.write(program);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is no program; the message names the place
     */
    public static Program decode(byte[] bytes) {
        try {
            return ProgramReader.read(JsonCursor.of(JsonParser.parse(bytes, JsonLimits.STORED)));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("not a program: " + e.getMessage(), e);
        }
    }

    public static Sha256 hash(Program program) {
        return Sha256.digest(encode(program));
    }
}
