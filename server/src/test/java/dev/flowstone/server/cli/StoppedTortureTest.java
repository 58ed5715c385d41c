package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.torture.company.SmallDisk;
import dev.flowstone.server.cli.Cli.Running;
import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A torture that is told to stop while its database has just begun to start. */
final class StoppedTortureTest {
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path folder = Path.of("");

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void leavesNeitherADatabaseServerNorADisk() throws Exception {
        Path all = folder.toRealPath().resolve("all");
        boolean disk = SmallDisk.isPossible();
        Path server = all.resolve(disk ? "disk/database" : "database").resolve("postgres/postmaster.pid");
        try (Running torture = Running.start("torture", "--faults", disk ? "disk" : "kill", "--dir", all.toString())) {
            ProcessHandle postmaster = started(server);

            torture.terminate();
            Said said = torture.end();

            assertEquals(TERMINATED, said.exit(), said::toString);
            assertTrue(said.err().contains("stopping; logs and ledgers: " + all), said::err);
            // Its parent is gone, and whoever is its parent now takes a moment until it has noticed that it ended.
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (postmaster.isAlive()) {
                assertTrue(System.nanoTime() < end, "PostgreSQL lives on");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            assertFalse(Files.readString(Path.of("/proc/mounts")).contains(all.toString()), "the disk is mounted");
        }
    }

    private static ProcessHandle started(Path pid) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        Optional<ProcessHandle> process = process(pid);
        while (process.isEmpty()) {
            assertTrue(System.nanoTime() < end, "PostgreSQL never started");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            process = process(pid);
        }
        return process.get();
    }

    /** Empty while the file isn't there, or has nothing in it yet. */
    private static Optional<ProcessHandle> process(Path pid) throws IOException {
        if (!Files.exists(pid)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(pid)) {
            return lines.findFirst().map(String::strip).map(Long::parseLong).flatMap(ProcessHandle::of);
        }
    }
}
