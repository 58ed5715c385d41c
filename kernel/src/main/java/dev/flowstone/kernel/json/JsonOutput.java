package dev.flowstone.kernel.json;

import java.util.Arrays;

/** A growing array of bytes, and the UTF-8 and string escapes of RFC 8785 (section 3.2.2.2). */
final class JsonOutput {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    /** The longest array that every JVM allocates. */
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private byte[] bytes = new byte[128];
    private int size;

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** The byte written last; there must be one. */
    byte last() {
        return bytes[size - 1];
    }

    void put(char ascii) {
        reserve(1);
        bytes[size++] = (byte) ascii;
    }

    void putAscii(String text) {
        int length = text.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            bytes[size + i] = (byte) text.charAt(i);
        }
        size += length;
    }

    void putLong(long value) {
        reserve(20);
        // Counted down in negative numbers, which reach one further than the positive ones.
        long rest = value > 0 ? -value : value;
        int digits = 1;
        for (long left = rest / 10; left != 0; left /= 10) {
            digits++;
        }
        if (value < 0) {
            bytes[size++] = '-';
        }
        size += digits;
        int at = size;
        do {
            bytes[--at] = (byte) ('0' - rest % 10);
            rest /= 10;
        } while (rest != 0);
    }

    /** Writes the string in quotes. Refuses a lone surrogate, which has no UTF-8 form. */
    void putString(String text) {
        int length = text.length();
        reserve(length + 2);
        byte[] to = bytes;
        int at = size;
        to[at++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                size = at;
                putRest(text, i);
                return;
            }
            to[at++] = (byte) c;
        }
        to[at++] = '"';
        size = at;
    }

    /** Writes what is left of a string from the first character on that isn't plain, and the closing quote. */
    private void putRest(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            // The longest that one char can become is an escape of six bytes.
            reserve(6);
            char c = text.charAt(i);
            if (c < 0x80) {
                putEscaped(c);
            } else if (c < 0x800) {
                bytes[size++] = (byte) (0xC0 | c >> 6);
                bytes[size++] = continuation(c);
            } else if (Character.isSurrogate(c)) {
                putPair(text, i);
                i++;
            } else {
                bytes[size++] = (byte) (0xE0 | c >> 12);
                bytes[size++] = continuation(c >> 6);
                bytes[size++] = continuation(c);
            }
        }
        put('"');
    }

    private void putPair(String text, int at) {
        int point = text.codePointAt(at);
        if (!Character.isSupplementaryCodePoint(point)) {
            Utf8.requireEncodable("JSON string", text);
        }
        bytes[size++] = (byte) (0xF0 | point >> 18);
        bytes[size++] = continuation(point >> 12);
        bytes[size++] = continuation(point >> 6);
        bytes[size++] = continuation(point);
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }

    private void putEscaped(char c) {
        switch (c) {
            case '"', '\\' -> escape(c);
            case '\b' -> escape('b');
            case '\t' -> escape('t');
            case '\n' -> escape('n');
            case '\f' -> escape('f');
            case '\r' -> escape('r');
            default -> {
                if (c < ' ') {
                    putAscii("\\u00");
                    bytes[size++] = HEX[c >> 4];
                    bytes[size++] = HEX[c & 0xF];
                } else {
                    bytes[size++] = (byte) c;
                }
            }
        }
    }

    private void escape(char letter) {
        bytes[size++] = '\\';
        bytes[size++] = (byte) letter;
    }

    private void reserve(int more) {
        // Compared without an addition that could overflow.
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int) Math.min(size * 2L, MAX_ARRAY)));
        }
    }
}
