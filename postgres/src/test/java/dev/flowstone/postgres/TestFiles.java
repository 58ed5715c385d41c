package dev.flowstone.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories of tests. */
public final class TestFiles {
    private static final long ENOUGH = 3L << 30;

    private TestFiles() {}

    /** In memory if there is room: a suite's hundred databases are soon gone and needn't reach a disk. */
    public static Path directory(String prefix) throws IOException {
        Path memory = Path.of("/dev/shm");
        boolean room = Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() > ENOUGH;
        return room ? Files.createTempDirectory(memory, prefix) : Files.createTempDirectory(prefix);
    }

    public static void delete(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
