package dev.flowstone.server.http;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoding (RFC 3986), read strictly: half an escape or bytes that are no UTF-8 are refused, never guessed. */
public final class Percent {
    private Percent() {}

    /** A text as one segment of a path, or as a name or value of a query. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A raw path's segments, decoded after the split, so that an encoded slash stays inside its segment. */
    static String[] segments(String rawPath) throws ProblemException {
        String[] segments = rawPath.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            segments[i] = decode(segments[i], "the path");
        }
        return segments;
    }

    static String decode(String raw, String where) throws ProblemException {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.write(octet(raw, i, where));
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, "the percent-encoded bytes in " + where + " are no UTF-8")
                    .exception();
        }
    }

    private static int octet(String raw, int at, String where) throws ProblemException {
        int high = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 1), 16) : -1;
        int low = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw Problem.of(
                            ProblemCode.INVALID_REQUEST, "a '%' in " + where + " is followed by two hexadecimal digits")
                    .exception();
        }
        return high << 4 | low;
    }
}
