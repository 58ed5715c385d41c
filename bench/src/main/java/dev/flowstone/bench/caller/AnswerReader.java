package dev.flowstone.bench.caller;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads answers that say how long they are, one after the other. */
final class AnswerReader {
    /** A shed answer without it is not one. */
    static final String NO_RETRY_AFTER = "NO_RETRY_AFTER";

    private static final String CODE = "\"code\":\"";

    private ByteBuffer in = ByteBuffer.allocate(8 << 10);
    private int status;
    private String code = "-";
    private boolean closes;

    /** Takes what has arrived; -1 at the end. */
    int readFrom(SocketChannel channel) throws IOException {
        if (!in.hasRemaining()) {
            in = ByteBuffer.allocate(2 * in.capacity()).put(in.flip());
        }
        return channel.read(in);
    }

    int status() {
        return status;
    }

    /** Of a refusal; a hyphen if it names none. */
    String code() {
        return code;
    }

    /** Whether the last answer was the last one on its connection. */
    boolean closes() {
        return closes;
    }

    /** Goes on to the next answer; false if it isn't there as a whole. */
    boolean next() throws IOException {
        int head = headLength();
        if (head < 0) {
            return false;
        }
        String[] lines = new String(in.array(), 0, head, StandardCharsets.US_ASCII).split("\r\n", -1);
        int length = 0;
        boolean retry = false;
        boolean last = false;
        for (String line : lines) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            } else if (lower.startsWith("retry-after:")) {
                retry = true;
            } else if (lower.startsWith("connection: close")) {
                last = true;
            }
        }
        if (in.position() < head + length) {
            return false;
        }
        status = Integer.parseInt(lines[0].split(" ", 3)[1]);
        boolean shed = status == 429 || status == 503;
        code = shed && !retry ? NO_RETRY_AFTER : status < 300 ? "-" : code(head, length);
        closes |= last;
        in.flip().position(head + length);
        in.compact();
        return true;
    }

    private String code(int head, int length) {
        String body = new String(in.array(), head, length, StandardCharsets.UTF_8);
        int from = body.indexOf(CODE);
        return from < 0 ? "-" : body.substring(from + CODE.length(), body.indexOf('"', from + CODE.length()));
    }

    private int headLength() throws IOException {
        byte[] bytes = in.array();
        for (int i = 3; i < in.position(); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        if (in.position() > 1 << 20) {
            throw new IOException("this is no answer");
        }
        return -1;
    }
}
