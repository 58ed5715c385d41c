package dev.flowstone.testkit.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** PostgreSQL servers of tests that nobody wants any more. */
public final class LeftServers {
    private static final String PID_FILE = "postmaster.pid";

    /** A cluster lies at most so deep in a folder of tests. */
    private static final int DEPTH = 6;

    /** PostgreSQL itself kills after five seconds what doesn't follow. */
    private static final long PATIENCE_SECONDS = 10;

    private LeftServers() {}

    /** Ends those that work in a cluster below this folder, and no other process, whatever number a file there says. */
    static void end(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> found =
                Files.find(folder, DEPTH, (path, about) -> about.isRegularFile() && path.endsWith(PID_FILE))) {
            files = found.toList();
        }
        for (Path file : files) {
            Optional<ProcessHandle> server = server(file);
            if (server.isPresent()) {
                atOnce(server.get().pid());
            }
        }
    }

    /** Who serves a cluster, if it is at work in the cluster's folder. */
    private static Optional<ProcessHandle> server(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d{1,9}")) {
                return Optional.empty();
            }
            String pid = lines.getFirst().strip();
            Path cluster = file.resolveSibling("");
            return Files.isSameFile(Path.of("/proc", pid, "cwd"), cluster)
                    ? ProcessHandle.of(Long.parseLong(pid))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty(); // it has ended
        }
    }

    /**
     * Ends a server without a checkpoint, with its sessions; returns when it is gone. It takes its shared memory with it, which SIGKILL
     * would leave for good: that comes only if the server doesn't follow.
     */
    public static void atOnce(long postmaster) throws IOException {
        Optional<ProcessHandle> server = ProcessHandle.of(postmaster);
        if (server.isEmpty()) {
            return;
        }
        List<ProcessHandle> all =
                Stream.concat(server.stream(), server.get().children()).toList();
        new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster))
                .inheritIO()
                .start();
        if (!gone(all)) {
            all.forEach(ProcessHandle::destroyForcibly);
            gone(all);
        }
    }

    private static boolean gone(List<ProcessHandle> all) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (all.stream().anyMatch(LeftServers::isAlive)) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return true;
    }

    /** One that nobody has buried is dead. */
    private static boolean isAlive(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return !Files.isDirectory(Path.of("/proc")) && process.isAlive();
        }
    }
}
