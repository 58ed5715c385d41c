package dev.flowstone.postgres.embedded;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the embedded server lives and how large it is.
 *
 * @param directory everything of this database: the cluster in {@code postgres}, its password, its log, the lock
 * @param cache where binaries are unpacked, shared with other processes; the user's cache directory if empty
 * @param sharedBuffersMegabytes the server's own cache
 * @param logMegabytes that the write-ahead log takes between two checkpoints, at most by intention
 * @param maxConnections that the server accepts
 * @param patience how long starting and stopping may take; a start after a crash replays the log first
 */
public record EmbeddedConfig(
        Path directory,
        Optional<Path> cache,
        int sharedBuffersMegabytes,
        int logMegabytes,
        int maxConnections,
        Duration patience) {
    private static final int MEGABYTE = 1 << 20;
    private static final int LOG_MEGABYTES = 2_048;

    /** Less than this, and PostgreSQL doesn't start: two files of its log. */
    private static final int SHORTEST_LOG = 32;

    public EmbeddedConfig {
        directory = directory.toAbsolutePath().normalize();
        if (sharedBuffersMegabytes < 16 || maxConnections < 10) {
            throw new IllegalArgumentException("at least 16 MB of shared buffers and 10 connections");
        }
        if (logMegabytes < SHORTEST_LOG) {
            throw new IllegalArgumentException("a log of at least " + SHORTEST_LOG + " MB");
        }
    }

    /** A sixteenth of the memory for buffers, from 128 MB to 2 GB; 60 connections, five minutes of patience. */
    public static EmbeddedConfig in(Path directory) {
        return new EmbeddedConfig(directory, Optional.empty(), buffers(), LOG_MEGABYTES, 60, Duration.ofMinutes(5));
    }

    /** Taken as it is used. With little, each connection writes pages away while its commit waits. */
    private static int buffers() {
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Math.clamp(machine.getTotalMemorySize() / MEGABYTE / 16, 128, 2_048);
    }

    public EmbeddedConfig withCache(Path path) {
        return new EmbeddedConfig(
                directory, Optional.of(path), sharedBuffersMegabytes, logMegabytes, maxConnections, patience);
    }

    public EmbeddedConfig withSharedBuffers(int megabytes) {
        return new EmbeddedConfig(directory, cache, megabytes, logMegabytes, maxConnections, patience);
    }

    /** With a shorter log, for a small disk: it takes up to twice of it. */
    public EmbeddedConfig withLog(int megabytes) {
        return new EmbeddedConfig(directory, cache, sharedBuffersMegabytes, megabytes, maxConnections, patience);
    }
}
