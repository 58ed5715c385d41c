package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/** Reads one string token. What it returns always has a UTF-8 form: no lone surrogates. */
final class StringScanner {
    private StringScanner() {}

    /** Reads from the opening quote to behind the closing one. */
    static String read(JsonInput in) throws JsonSyntaxException {
        byte[] bytes = in.bytes;
        int start = in.at + 1;
        int i = start;
        // Nearly every string is short and plain ASCII: find its end, copy once.
        while (i < bytes.length) {
            byte b = bytes[i];
            if (b == '"') {
                in.at = i + 1;
                return new String(bytes, start, i - start, ISO_8859_1);
            }
            if (b < ' ' || b == '\\') {
                break;
            }
            i++;
        }
        return readFrom(in, start, i);
    }

    /** Goes on at {@code i}, where the first byte stands that isn't plain; the string began at {@code start}. */
    private static String readFrom(JsonInput in, int start, int i) throws JsonSyntaxException {
        byte[] bytes = in.bytes;
        StringBuilder text = null;
        int copied = start;
        while (i < bytes.length) {
            byte b = bytes[i];
            if (b == '"') {
                in.at = i + 1;
                return joined(text, new String(bytes, copied, i - copied, UTF_8));
            } else if (b == '\\') {
                text = text == null ? new StringBuilder() : text;
                text.append(new String(bytes, copied, i - copied, UTF_8));
                i = unescape(in, i, text);
                copied = i;
            } else if (b < 0) {
                i = afterCharacter(in, i);
            } else if (b < ' ') {
                throw in.fault(
                        i,
                        "a string holds control characters only as escapes: write " + in.found(i) + " as "
                                + String.format("\\u%04x", b));
            } else {
                i++;
            }
        }
        throw in.fault(i, "expected the closing '\"' of a string, found the end of the text");
    }

    private static String joined(@Nullable StringBuilder text, String last) {
        return text == null ? last : text.append(last).toString();
    }

    private static int afterCharacter(JsonInput in, int i) throws JsonSyntaxException {
        int next = Utf8.next(in.bytes, i);
        if (next < 0) {
            throw in.fault(
                    i,
                    String.format("the byte 0x%02X does not begin a well-formed UTF-8 character", in.bytes[i] & 0xFF));
        }
        return next;
    }

    /** Appends what the escape at this backslash stands for; answers the index behind it. */
    private static int unescape(JsonInput in, int backslash, StringBuilder text) throws JsonSyntaxException {
        int at = backslash + 1;
        int kind = at < in.bytes.length ? in.bytes[at] : JsonInput.END;
        switch (kind) {
            case '"', '\\', '/' -> text.append((char) kind);
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'u' -> {
                return unicode(in, backslash, text);
            }
            default -> throw in.fault(backslash, "after '\\' comes one of \" \\ / b f n r t u, found " + in.found(at));
        }
        return at + 1;
    }

    private static int unicode(JsonInput in, int backslash, StringBuilder text) throws JsonSyntaxException {
        char unit = hex(in, backslash);
        text.append(unit);
        if (!Character.isSurrogate(unit)) {
            return backslash + 6;
        }
        int second = backslash + 6;
        boolean escapeFollows = second + 1 < in.bytes.length && in.bytes[second] == '\\' && in.bytes[second + 1] == 'u';
        if (Character.isHighSurrogate(unit) && escapeFollows) {
            char low = hex(in, second);
            if (Character.isLowSurrogate(low)) {
                text.append(low);
                return second + 6;
            }
        }
        throw in.fault(
                backslash,
                String.format(
                        "\\u%04x is half of a surrogate pair and its other half does not follow (or precede) it",
                        (int) unit));
    }

    private static char hex(JsonInput in, int backslash) throws JsonSyntaxException {
        int unit = 0;
        for (int i = backslash + 2; i < backslash + 6; i++) {
            int digit = i < in.bytes.length && in.bytes[i] >= 0 ? Character.digit(in.bytes[i], 16) : -1;
            if (digit < 0) {
                throw in.fault(i, "'\\u' needs four hexadecimal digits, found " + in.found(i));
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }
}
