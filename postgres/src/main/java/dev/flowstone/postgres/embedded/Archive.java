package dev.flowstone.postgres.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Unpacks the server's archive. A class of its own, so that a start that finds it unpacked loads no decompressor: the JVM
 * links classes with all that they name, and one of those is in a sealed package, which an AOT cache can't hold.
 */
final class Archive {
    private Archive() {}

    /** Into an empty directory; what would land outside of it is refused. */
    static void extract(URL archive, Path target) throws IOException {
        try (InputStream in = archive.openStream();
                TarArchiveInputStream tar =
                        new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(in, 1 << 16)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = inside(target, entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else if (entry.isSymbolicLink()) {
                    Files.createDirectories(parent(file));
                    inside(
                            target,
                            target.relativize(parent(file))
                                    .resolve(entry.getLinkName())
                                    .toString());
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else {
                    Files.createDirectories(parent(file));
                    Files.copy(tar, file);
                    boolean executable = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private static Path inside(Path target, String name) throws IOException {
        Path file = target.resolve(name).normalize();
        if (!file.startsWith(target)) {
            throw new IOException("the archive reaches out of its directory: " + name);
        }
        return file;
    }
}
