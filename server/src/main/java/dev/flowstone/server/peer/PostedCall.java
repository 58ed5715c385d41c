package dev.flowstone.server.peer;

import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Method;
import dev.flowstone.server.http.Reply;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Calls and answers as they lie in the database: a number for the form, then fields in order, each text with its length. Another
 * form is refused, as by an older release.
 */
final class PostedCall {
    private static final int FORM = 1;
    private static final int MOST_HEADERS = 64;

    private PostedCall() {}

    static byte[] bytes(Forwarded call) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            put(out, call.method().name());
            put(out, call.target());
            put(out, call.headers());
            put(out, CallerHeader.text(call.caller()));
            put(out, call.correlation());
            out.writeLong(call.patience().toMillis());
            put(out, call.body());
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a call.
     *
     * @throws IOException if no node of a release that we know has written it
     */
    static Forwarded call(byte[] bytes) throws IOException {
        try (DataInputStream in = open(bytes)) {
            Method method = Method.valueOf(text(in));
            String target = text(in);
            Map<String, String> headers = texts(in);
            String caller = text(in);
            String correlation = text(in);
            Duration patience = Duration.ofMillis(in.readLong());
            return new Forwarded(method, target, headers, bytes(in), CallerHeader.parse(caller), correlation, patience);
        } catch (IllegalArgumentException e) {
            throw new IOException("that is no call", e);
        }
    }

    /** With the headers that are its own; every answer gets the others where it goes out. */
    static byte[] bytes(Reply reply) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeInt(reply.status());
            put(out, reply.mediaType());
            put(out, reply.etag().orElse(""));
            Map<String, String> own = new LinkedHashMap<>();
            for (String name : Reply.OWN_HEADERS) {
                String value = reply.headers().get(name);
                if (value != null) {
                    own.put(name, value);
                }
            }
            put(out, own);
            put(out, reply.body());
        }
        return bytes.toByteArray();
    }

    static Reply reply(byte[] bytes) throws IOException {
        try (DataInputStream in = open(bytes)) {
            int status = in.readInt();
            String mediaType = text(in);
            Optional<String> etag = Optional.of(text(in)).filter(tag -> !tag.isEmpty());
            Map<String, String> headers = texts(in);
            return new Reply(status, mediaType, bytes(in), etag, headers, false, Optional.empty());
        }
    }

    private static DataInputStream open(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readByte() != FORM) {
            throw new IOException("a form of another release");
        }
        return in;
    }

    private static void put(DataOutputStream out, String text) throws IOException {
        put(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void put(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void put(DataOutputStream out, Map<String, String> texts) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            put(out, text.getKey());
            put(out, text.getValue());
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a field is cut off");
        }
        return in.readNBytes(length);
    }

    private static Map<String, String> texts(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_HEADERS) {
            throw new IOException("a field is cut off");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = text(in);
            texts.put(name, text(in));
        }
        return texts;
    }
}
