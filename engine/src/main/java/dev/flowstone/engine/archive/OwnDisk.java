package dev.flowstone.engine.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Files and folders that only their maker may read, as they hold what a database guarded, and that are still there after the
 * machine has failed. Where a file system knows nothing of owners, it keeps its own rules.
 */
final class OwnDisk implements Disk {
    private static final System.Logger LOG = System.getLogger(OwnDisk.class.getName());

    @Override
    public void folder(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        Path parent = absolute.getParent();
        if (Files.isDirectory(absolute) || parent == null) {
            return;
        }
        folder(parent);
        try {
            Files.createDirectory(absolute, only(absolute, "rwx------"));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(absolute)) {
                throw e;
            }
        }
        sync(parent);
    }

    @Override
    public Optional<Closeable> lock(Path file) throws IOException {
        FileChannel channel = open(file);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            LOG.log(Level.DEBUG, "another archive of this process has locked " + file);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        return locked ? Optional.of(channel) : Optional.empty();
    }

    @Override
    public FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                only(file, "rw-------"));
    }

    @Override
    public OutputStream output(FileChannel file) {
        return Channels.newOutputStream(file);
    }

    @Override
    public void force(FileChannel file) throws IOException {
        file.force(true);
    }

    @Override
    public InputStream read(Path file) throws IOException {
        return Files.newInputStream(file);
    }

    @Override
    public boolean claim(Path file) throws IOException {
        try {
            Files.createFile(file, only(file, "rw-------"));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void sync(Path folder) throws IOException {
        if (isPosix(folder)) {
            try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
