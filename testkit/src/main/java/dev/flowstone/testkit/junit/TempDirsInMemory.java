package dev.flowstone.testkit.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * JUnit's folders for tests, in memory if there is room: a suite's hundred databases are soon gone and needn't reach a disk. A process that is
 * killed loses nothing by it, as on a disk; what it leaves there is removed by the next that makes a folder, with the PostgreSQL servers that run in
 * it. They all lie in one folder of this JVM's ({@link OwnFolder}).
 */
public final class TempDirsInMemory implements TempDirFactory {
    /** For all that goes on at once, with what its databases log. */
    private static final long ENOUGH = 6L << 30;

    private static final Path MEMORY = Path.of("/dev/shm");

    private static @Nullable OwnFolder own;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return directory("junit-");
    }

    /** A new folder whose name begins so. */
    public static Path directory(String prefix) throws IOException {
        return Files.isWritable(MEMORY) && runsPrograms() ? where(prefix) : Files.createTempDirectory(prefix);
    }

    private static synchronized Path where(String prefix) throws IOException {
        // First, for it makes room.
        if (own == null) {
            own = OwnFolder.in(MEMORY);
        }
        return hasRoom() ? Files.createTempDirectory(own.path(), prefix) : Files.createTempDirectory(prefix);
    }

    private static boolean hasRoom() throws IOException {
        return Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH;
    }

    /** Some tests install programs; container engines often forbid to run any from there. */
    private static boolean runsPrograms() throws IOException {
        Path mounts = Path.of("/proc/mounts");
        return Files.isReadable(mounts)
                && Files.readAllLines(mounts).stream()
                        .noneMatch(mount -> mount.contains(" " + MEMORY + " ") && mount.contains("noexec"));
    }
}
