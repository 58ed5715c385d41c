package dev.flowstone.server.http;

import java.io.IOException;
import java.io.InputStream;

/** A body as it comes in from Helidon, which raises all kinds of unchecked exceptions where bytes are missing or malformed. */
final class BodyStream extends InputStream {
    private final InputStream in;

    BodyStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (RuntimeException e) {
            throw new IOException("the body can't be read", e);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return in.read(bytes, offset, length);
        } catch (RuntimeException e) {
            throw new IOException("the body can't be read", e);
        }
    }
}
