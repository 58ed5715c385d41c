package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.embedded.EmbeddedPostgresException.AlreadyRunning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * One Flowstone in a data directory. The operating system holds the lock for the process and drops it when the process
 * ends, however it ends; the file's content only names the holder.
 */
final class DirectoryLock implements AutoCloseable {
    private static final String FILE = "flowstone.lock";

    /**
     * Held by this JVM. POSIX drops a process's lock when it closes any descriptor of the file, so that a second try from
     * within must not even open it.
     */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) throws AlreadyRunning, IOException {
        Path file = directory.toRealPath().resolve(FILE);
        synchronized (HELD) {
            if (HELD.contains(file)) {
                throw new AlreadyRunning(directory, ProcessHandle.current().pid());
            }
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() == null) {
                    throw new AlreadyRunning(directory, holder(file));
                }
                byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(pid), 0);
                HELD.add(file);
                return new DirectoryLock(file, channel);
            } catch (AlreadyRunning | IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }
    }

    private static long holder(Path file) throws IOException {
        String content = Files.readString(file).strip();
        return content.matches("\\d{1,18}") ? Long.parseLong(content) : 0;
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            HELD.remove(file);
            channel.close();
        }
    }
}
