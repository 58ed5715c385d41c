package dev.flowstone.engine.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.Set;

/**
 * A file under way: {@code NAME.part} until it is whole and on disk, and only then under its name. What a killed attempt left
 * under {@code .part} is written over; what has a name is never touched.
 */
final class PartFile implements AutoCloseable {
    private final Disk disk;
    private final Path folder;
    private final YearMonth month;
    private final Path part;
    private final FileChannel channel;

    private PartFile(Disk disk, Path folder, YearMonth month, Path part, FileChannel channel) {
        this.disk = disk;
        this.folder = folder;
        this.month = month;
        this.part = part;
        this.channel = channel;
    }

    static PartFile open(Disk disk, Path folder, YearMonth month) throws IOException, ArchiveRefusedException {
        disk.folder(folder);
        Path part = folder.resolve(name(month, 1) + ".part");
        FileChannel channel = disk.open(part);
        try {
            lock(channel, part);
            channel.truncate(0);
            return new PartFile(disk, folder, month, part, channel);
        } catch (IOException | ArchiveRefusedException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Ends with the process, however that ends. */
    private static void lock(FileChannel channel, Path part) throws IOException, ArchiveRefusedException {
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false;
        }
        if (!locked) {
            throw new ArchiveRefusedException("another archive writes " + part);
        }
    }

    static String name(YearMonth month, int number) {
        return "flowstone-" + month + (number == 1 ? "" : "-" + number) + ".ndjson.gz";
    }

    /** Writes behind what was written; closing it is not needed. */
    OutputStream output() {
        return disk.output(channel);
    }

    /** It is on disk, whatever happens to the machine. */
    void sync() throws IOException {
        disk.force(channel);
    }

    /** Reads it as it stands on disk, from its beginning. */
    InputStream input() throws IOException {
        return disk.read(part);
    }

    Path path() {
        return part;
    }

    /**
     * Gives it the first name of its month that no file and no archive has.
     *
     * @param taken names of archives, whose files may be elsewhere
     * @throws IOException also if the file system can't rename a file in one step; nothing has the name then
     */
    Path publish(Set<String> taken) throws IOException {
        for (int number = 1; ; number++) {
            String name = name(month, number);
            Path file = folder.resolve(name);
            if (!taken.contains(name) && disk.claim(file)) {
                move(file);
                return file;
            }
        }
    }

    private void move(Path file) throws IOException {
        try {
            disk.rename(part, file);
            disk.sync(folder);
        } catch (IOException e) {
            // Only claimed, or not on disk for certain: nothing has left the database.
            try {
                disk.delete(file);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    /** Nothing of it is wanted. */
    void empty() throws IOException {
        channel.truncate(0);
    }

    /** An empty one is gone. */
    @Override
    public void close() throws IOException {
        // Whatever the disk says: who doesn't let go of it keeps the next attempt out.
        try (channel) {
            if (channel.size() == 0) {
                disk.delete(part);
            }
        }
    }
}
