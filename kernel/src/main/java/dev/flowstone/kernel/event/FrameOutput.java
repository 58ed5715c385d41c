package dev.flowstone.kernel.event;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Instant;
import java.util.Arrays;

/**
 * A growing array of bytes that canonical JSON is written to directly, without values in between. The caller writes
 * members in the order of their names; {@link BodyCodec}'s test holds every kind against the canonical writer.
 */
final class FrameOutput {
    private byte[] bytes = new byte[1024];
    private int size;
    private boolean first = true;

    int size() {
        return size;
    }

    /** The array itself; only up to {@link #size}, only until the next write. */
    byte[] array() {
        return bytes;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Forgets everything from here on. */
    void truncate(int to) {
        size = to;
    }

    /** Leaves room for a length; {@link #endFrame} fills it in. */
    int beginFrame() {
        reserve(4);
        size += 4;
        return size - 4;
    }

    void endFrame(int start) {
        int length = size - start - 4;
        bytes[start] = (byte) (length >>> 24);
        bytes[start + 1] = (byte) (length >>> 16);
        bytes[start + 2] = (byte) (length >>> 8);
        bytes[start + 3] = (byte) length;
    }

    void open() {
        ascii("{");
        first = true;
    }

    void close() {
        ascii("}");
        first = false;
    }

    /** A member's name: plain ASCII. */
    FrameOutput name(String name) {
        reserve(name.length() + 4);
        if (!first) {
            bytes[size++] = ',';
        }
        first = false;
        bytes[size++] = '"';
        copy(name);
        bytes[size++] = '"';
        bytes[size++] = ':';
        return this;
    }

    void string(String text) {
        int length = text.length();
        reserve(length + 2);
        int at = size;
        byte[] to = bytes;
        to[at++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                value(new JsonString(text));
                return;
            }
            to[at++] = (byte) c;
        }
        to[at++] = '"';
        size = at;
    }

    void number(long value) {
        if (value >= 0 && value < 10) {
            reserve(1);
            bytes[size++] = (byte) ('0' + value);
        } else {
            ascii(Long.toString(value));
        }
    }

    void bool(boolean value) {
        ascii(value ? "true" : "false");
    }

    void hash(Sha256 hash) {
        ascii("\"");
        ascii(hash.toString());
        ascii("\"");
    }

    void time(Instant time) {
        string(Times.write(time));
    }

    void value(JsonValue value) {
        byte[] written = CanonicalJson.exact(value);
        reserve(written.length);
        System.arraycopy(written, 0, bytes, size, written.length);
        size += written.length;
    }

    /** Brackets, braces and commas inside arrays. */
    void ascii(String text) {
        reserve(text.length());
        copy(text);
    }

    private void copy(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            bytes[size + i] = (byte) text.charAt(i);
        }
        size += length;
    }

    private void reserve(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), Math.multiplyExact(bytes.length, 2)));
        }
    }
}
