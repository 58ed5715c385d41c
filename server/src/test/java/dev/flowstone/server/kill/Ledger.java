package dev.flowstone.server.kill;

import dev.flowstone.engine.task.TaskCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What handlers did, told outside of the database: a line for each call, written in one append, which outlives the process
 * that wrote it.
 */
final class Ledger implements AutoCloseable {
    private final FileChannel file;

    private Ledger(FileChannel file) {
        this.file = file;
    }

    static Ledger append(Path path) throws IOException {
        return new Ledger(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    void called(TaskCall call) throws IOException {
        String line = line(call.run().toString(), call.activation().toString(), call.attempt());
        file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** How one call of a handler is written. */
    static String line(String run, String activation, int attempt) {
        return run + " " + activation + " " + attempt;
    }

    static List<String> read(Path path) throws IOException {
        return Files.readAllLines(path);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
