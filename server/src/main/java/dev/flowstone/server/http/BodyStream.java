package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A body as it comes in from Helidon, which raises all kinds of unchecked exceptions where bytes are missing or malformed. Knows
 * how much of it was asked for. Belongs to its thread.
 */
final class BodyStream extends InputStream {
    /** What is read of a body that nobody wants. */
    private static final int POLITE_BYTES = 16 << 20;

    /** How long we listen on to somebody who was answered. */
    private static final Duration POLITE = Duration.ofSeconds(2);

    private final Supplier<InputStream> source;
    private @Nullable InputStream in;
    private boolean ended;

    /** @param source asked at the first read: Helidon then tells a client that waits for it to go on */
    BodyStream(Supplier<InputStream> source) {
        this.source = requireNonNull(source);
    }

    /** Of a request that has none. */
    static BodyStream none() {
        BodyStream none = new BodyStream(InputStream::nullInputStream);
        none.ended = true;
        return none;
    }

    /** Whether anybody has tried to read of it. */
    boolean isAsked() {
        return in != null;
    }

    /** Whether it was read to its end. */
    boolean isEnded() {
        return ended;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            if (in == null) {
                in = source.get();
            }
            int read = in.read(bytes, offset, length);
            ended |= read < 0;
            return read;
        } catch (RuntimeException e) {
            throw new IOException("the body can't be read", e);
        }
    }

    /**
     * Reads on for a while, keeping nothing, since a client that is still sending when the connection closes loses the answer
     * with what it sent.
     *
     * @return whether that was its end
     */
    boolean passOver() {
        if (ended) {
            return true;
        }
        byte[] dropped = new byte[8 << 10];
        try (Deadline deadline = new Deadline(POLITE)) {
            int count = 0;
            for (int read = 0; read >= 0 && count < POLITE_BYTES && !deadline.isOver(); count += read) {
                read = read(dropped, 0, dropped.length);
            }
        } catch (IOException e) {
            return false;
        }
        return ended;
    }
}
