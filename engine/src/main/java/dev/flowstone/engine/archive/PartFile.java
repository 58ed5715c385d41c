package dev.flowstone.engine.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.Set;

/**
 * A file under way: {@code NAME.part} until it is whole and on disk, and only then under its name. What a killed attempt left
 * under {@code .part} is written over; what has a name is never touched. {@code flowstone-MONTH.lock} beside it keeps others out, in
 * this process and in others, and stays.
 */
final class PartFile implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PartFile.class.getName());

    private final Disk disk;
    private final Path folder;
    private final YearMonth month;
    private final Path part;
    private final FileChannel channel;
    private final Closeable lock;

    /** It has its name, and may be all that there is. */
    private boolean published;

    private PartFile(Disk disk, Path folder, YearMonth month, Path part, FileChannel channel, Closeable lock) {
        this.disk = disk;
        this.folder = folder;
        this.month = month;
        this.part = part;
        this.channel = channel;
        this.lock = lock;
    }

    static PartFile open(Disk disk, Path folder, YearMonth month) throws IOException, ArchiveRefusedException {
        disk.folder(folder);
        Path part = folder.resolve(name(month, 1) + ".part");
        Closeable lock = disk.lock(folder.resolve("flowstone-" + month + ".lock"))
                .orElseThrow(() -> new ArchiveRefusedException("another archive writes " + part));
        try {
            FileChannel channel = disk.open(part);
            try {
                channel.truncate(0);
                return new PartFile(disk, folder, month, part, channel, lock);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
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
                published = true;
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
            discard(file, e);
            throw e;
        }
    }

    /** Its name is given up, because something failed that is to be told in any case. */
    void discard(Path file, Exception failure) {
        try {
            disk.delete(file);
            disk.sync(folder);
        } catch (IOException left) {
            failure.addSuppressed(left);
        }
    }

    /** Nothing of it is wanted. */
    void empty() throws IOException {
        channel.truncate(0);
    }

    /** An empty one is gone. Of one that has its name nothing can fail any more. */
    @Override
    public void close() throws IOException {
        // Whatever the disk says: who doesn't let go of it keeps the next attempt out.
        try (lock;
                channel) {
            if (!published && channel.size() == 0) {
                disk.delete(part);
            }
        } catch (IOException e) {
            if (!published) {
                throw e;
            }
            LOG.log(Level.WARNING, "an archive is whole and has its name, but its file can't be closed", e);
        }
    }
}
