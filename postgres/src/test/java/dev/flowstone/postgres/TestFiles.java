package dev.flowstone.postgres;

import dev.flowstone.testkit.junit.TempDirsInMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories of tests. */
public final class TestFiles {
    private TestFiles() {}

    /** In memory if there is room. */
    public static Path directory(String prefix) throws IOException {
        return TempDirsInMemory.directory(prefix);
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
