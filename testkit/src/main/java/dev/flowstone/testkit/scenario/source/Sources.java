package dev.flowstone.testkit.scenario.source;

import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a file as YAML 1.2, or as JSON if its name says so. Whatever the bytes, it answers a tree within the bounds below
 * or refuses: no tag is ever executed, and aliases count with everything that they stand for.
 */
public final class Sources {
    /** Of one file. */
    public static final int MAX_BYTES = 4 << 20;

    /** Arrays and objects in each other. */
    static final int MAX_DEPTH = 64;

    /** Values of one file, with those that aliases repeat. */
    static final int MAX_VALUES = 200_000;

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private Sources() {}

    /** At most one byte more than is taken, so that a file without end is refused like a long one. */
    public static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }

    /**
     * Reads it.
     *
     * @param name of the file; one that ends with {@code .json} is read as JSON
     */
    public static JsonParser.Located read(String name, byte[] bytes) throws SourceException {
        if (bytes.length > MAX_BYTES) {
            throw new SourceException("the file is longer than " + (MAX_BYTES >> 20) + " MiB", 1, 1);
        }
        return name.endsWith(".json") ? json(bytes) : new YamlTree().read(text(bytes));
    }

    private static JsonParser.Located json(byte[] bytes) throws SourceException {
        try {
            return JsonParser.parseLocated(
                    bytes, new JsonLimits(MAX_BYTES, MAX_DEPTH, JsonLimits.DEFAULT.numberDigits()));
        } catch (JsonSyntaxException e) {
            throw new SourceException("this is no JSON: " + e.getMessage(), e.line(), e.column());
        }
    }

    private static String text(byte[] bytes) throws SourceException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new SourceException("the file is not UTF-8", 1, 1);
        }
    }
}
