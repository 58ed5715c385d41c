package dev.flowstone.engine.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The lines of a compressed file, one at a time. */
final class LineInput {
    private static final int BUFFER = 64 << 10;

    /** Beyond the largest payload that is kept; a longer line is damage. */
    private static final int LONGEST = 1 << 30;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;

    LineInput(InputStream compressed) throws IOException {
        this.in = new GZIPInputStream(compressed, BUFFER);
    }

    /** The next line without its line feed; empty at the end. Bytes at the end without a line feed are a line too. */
    Optional<byte[]> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (at < end || fill()) {
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            if (line.size() + at - from > LONGEST) {
                throw new ZipException("a line has more than " + LONGEST + " bytes");
            }
            line.write(buffer, from, at - from);
            if (at < end) {
                at++;
                return Optional.of(line.toByteArray());
            }
        }
        return line.size() == 0 ? Optional.empty() : Optional.of(line.toByteArray());
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        return end > 0;
    }
}
