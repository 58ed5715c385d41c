package dev.flowstone.kernel.json;

import java.nio.charset.StandardCharsets;

/**
 * A text being read: its bytes, how far the reading is, and how a fault at some byte is told. Line breaks are LF, CR LF
 * and CR; columns count Unicode characters, as editors do.
 */
final class JsonInput {
    /** What {@link #peek} answers at the end; no byte has this value. */
    static final int END = 256;

    final byte[] bytes;
    int at;

    JsonInput(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The next byte (signed), or {@link #END}. */
    int peek() {
        return at < bytes.length ? bytes[at] : END;
    }

    void skipSpace() {
        int i = at;
        while (i < bytes.length) {
            byte b = bytes[i];
            if (b > ' ' || (b != ' ' && b != '\n' && b != '\r' && b != '\t')) {
                break;
            }
            i++;
        }
        at = i;
    }

    /** The refusal of what stands at the current byte: what was expected, what was found. */
    JsonSyntaxException expected(String what) {
        return fault(at, "expected " + what + ", found " + found(at));
    }

    JsonSyntaxException fault(int offset, String reason) {
        JsonParser.Place place = place(bytes, offset);
        return new JsonSyntaxException(reason, place.line(), place.column(), offset);
    }

    static JsonParser.Place place(byte[] bytes, int offset) {
        return place(bytes, new JsonParser.Place(1, 1), 0, offset);
    }

    /** Counts on from a place that is known. */
    static JsonParser.Place place(byte[] bytes, JsonParser.Place known, int knownOffset, int offset) {
        int line = known.line();
        int column = known.column();
        for (int i = knownOffset; i < offset; i++) {
            byte b = bytes[i];
            boolean lineEnds = b == '\n' || (b == '\r' && (i + 1 == bytes.length || bytes[i + 1] != '\n'));
            if (lineEnds) {
                line++;
                column = 1;
            } else if ((b & 0xC0) != 0x80) {
                column++;
            }
        }
        return new JsonParser.Place(line, column);
    }

    /** Names the character at this byte for a message. */
    String found(int offset) {
        if (offset >= bytes.length) {
            return "the end of the text";
        }
        int b = bytes[offset] & 0xFF;
        if (b > ' ' && b < 0x7F) {
            return "'" + (char) b + "'";
        }
        if (b < 0x80) {
            return String.format("U+%04X", b);
        }
        int after = Utf8.next(bytes, offset);
        return after < 0
                ? String.format("the byte 0x%02X, which is not UTF-8", b)
                : "'" + new String(bytes, offset, after - offset, StandardCharsets.UTF_8) + "'";
    }
}
