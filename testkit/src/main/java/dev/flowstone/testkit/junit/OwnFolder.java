package dev.flowstone.testkit.junit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A folder of this JVM's alone, named {@code flowstone-jvm-ID}. Beside it lies {@code flowstone-jvm-ID.lock}, locked for as long as the JVM
 * lives, however it ends. So a folder whose lock can be had is nobody's any more: whoever makes one removes those, with the
 * PostgreSQL servers that still run in them. Only what has such a lock file is touched, and of two who remove at once one does.
 */
final class OwnFolder {
    private static final String PREFIX = "flowstone-jvm-";
    private static final String LOCK = ".lock";

    /** Of folders that are removed at once; what is left waits for the next JVM. */
    private static final int MOST = 16;

    private static final System.Logger LOG = System.getLogger(OwnFolder.class.getName());

    private final Path path;

    /** Held so that nobody closes its channel, which would end it. */
    @SuppressWarnings("unused")
    private final FileLock lock;

    private OwnFolder(Path path, FileLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /** A new one, after those of JVMs that are gone are removed. */
    static OwnFolder in(Path parent) throws IOException {
        removeLeft(parent);
        while (true) {
            String name = PREFIX + UUID.randomUUID().toString().substring(0, 13);
            Path locked = parent.resolve(name + LOCK);
            FileChannel channel = FileChannel.open(locked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            // Somebody may have taken it for one that is left, between its making and its locking.
            if (lock != null && Files.exists(locked)) {
                return new OwnFolder(Files.createDirectory(parent.resolve(name)), lock);
            }
            channel.close();
        }
    }

    Path path() {
        return path;
    }

    private static void removeLeft(Path parent) throws IOException {
        int removed = 0;
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, PREFIX + "*" + LOCK)) {
            for (Path locked : locks) {
                if (removed == MOST) {
                    return;
                }
                removed += removedIfLeft(locked) ? 1 : 0;
            }
        }
    }

    private static boolean removedIfLeft(Path locked) {
        try (FileChannel channel = FileChannel.open(locked, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                return false;
            }
            String name = locked.getFileName().toString();
            Path folder = locked.resolveSibling(name.substring(0, name.length() - LOCK.length()));
            LeftServers.end(folder);
            Trees.delete(folder);
            Files.deleteIfExists(locked);
            return true;
        } catch (NoSuchFileException e) {
            return false; // somebody else was quicker
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "a folder of tests stays: " + e);
            return false;
        }
    }
}
