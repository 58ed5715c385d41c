package dev.flowstone.bench.torture.load;

import dev.flowstone.bench.torture.check.Acknowledged;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What was acknowledged, in memory and, a line for each, in a file: from when to when it was asked, and what. */
public final class CommandLedger implements AutoCloseable {
    private final BufferedWriter file;
    private final List<Acknowledged> all = new ArrayList<>();

    private CommandLedger(BufferedWriter file) {
        this.file = file;
    }

    public static CommandLedger in(Path file) throws IOException {
        return new CommandLedger(Files.newBufferedWriter(file));
    }

    /**
     * Writes it down.
     *
     * @param before milliseconds since the epoch, when it was first asked
     */
    public synchronized void add(Acknowledged one, long before) {
        all.add(one);
        try {
            file.write(before + " " + System.currentTimeMillis() + " " + one + "\n");
            file.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public synchronized List<Acknowledged> all() {
        return List.copyOf(all);
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
