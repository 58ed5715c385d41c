package dev.flowstone.engine.archive;

import dev.flowstone.kernel.json.CanonicalJson;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Writes the lines of an archive, compressed; holds none of them. */
final class ArchiveWriter {
    private static final int BUFFER = 64 << 10;

    private final GZIPOutputStream out;
    private final Tally tally = new Tally();

    ArchiveWriter(OutputStream file) throws IOException {
        this.out = new GZIPOutputStream(file, BUFFER);
    }

    void write(ArchiveLine line) throws IOException {
        byte[] bytes = CanonicalJson.exact(LineCodec.write(line));
        tally.add(line, bytes);
        put(bytes);
    }

    private void put(byte[] bytes) throws IOException {
        out.write(bytes);
        out.write('\n');
    }

    long runs() {
        return tally.runs();
    }

    /** Writes the last line. The file is whole, and the stream is still open. */
    ArchiveTotals end() throws IOException {
        ArchiveTotals totals = tally.end();
        put(CanonicalJson.exact(LineCodec.write(new ArchiveLine.Closing(totals))));
        out.finish();
        return totals;
    }
}
