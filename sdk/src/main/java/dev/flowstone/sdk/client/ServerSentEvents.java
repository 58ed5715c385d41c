package dev.flowstone.sdk.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Reads a stream of Server-Sent Events (WHATWG HTML §9.2), each of at most so many bytes. For one thread. */
final class ServerSentEvents {
    private final Source source;
    private final Duration silence;
    private final int most;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private byte[] bytes = {};
    private int next;
    private boolean afterReturn;
    private boolean heard;

    /** Where its bytes come from: some, or none at the end. */
    @FunctionalInterface
    interface Source {
        Optional<byte[]> next(Duration silence) throws IOException, InterruptedException;
    }

    /**
     * A reader.
     *
     * @param silence after which the other side counts as gone
     */
    ServerSentEvents(Source source, Duration silence, int most) {
        this.source = requireNonNull(source);
        this.silence = requireNonNull(silence);
        this.most = most;
    }

    /**
     * An event.
     *
     * @param name {@code message} if it has none
     */
    record Sent(String name, String data) {}

    /**
     * The next event; empty at the end of the stream. Comments, which keep a connection alive, are passed over.
     *
     * @throws IOException if it breaks, is silent, or an event is too long
     */
    Optional<Sent> next() throws IOException, InterruptedException {
        String name = "message";
        StringBuilder data = new StringBuilder();
        boolean has = false;
        for (Optional<String> read = line(); read.isPresent(); read = line()) {
            String text = read.get();
            if (text.isEmpty() && has) {
                return Optional.of(new Sent(name, data.toString()));
            }
            if (text.isEmpty()) {
                name = "message";
            }
            if (text.startsWith("event:")) {
                name = value(text, "event:");
            } else if (text.startsWith("data:")) {
                data.append(has ? "\n" : "").append(value(text, "data:"));
                has = true;
            }
            if (data.length() > most) {
                throw new IOException("an event has more than " + most + " bytes");
            }
        }
        return Optional.empty();
    }

    /** Whether anything came, be it a comment. */
    boolean heard() {
        return heard;
    }

    private static String value(String line, String field) {
        String value = line.substring(field.length());
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    /** Without its end, which is a line feed, a carriage return, or both. */
    private Optional<String> line() throws IOException, InterruptedException {
        line.reset();
        while (true) {
            if (next == bytes.length) {
                Optional<byte[]> more = source.next(silence);
                if (more.isEmpty()) {
                    return Optional.empty();
                }
                heard = true;
                bytes = more.get();
                next = 0;
            }
            byte one = bytes[next++];
            boolean second = afterReturn && one == '\n';
            afterReturn = one == '\r';
            if (second) {
                continue;
            }
            if (one == '\n' || one == '\r') {
                return Optional.of(line.toString(UTF_8));
            }
            if (line.size() >= most) {
                throw new IOException("a line has more than " + most + " bytes");
            }
            line.write(one);
        }
    }
}
