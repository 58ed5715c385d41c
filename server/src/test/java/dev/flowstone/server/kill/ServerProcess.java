package dev.flowstone.server.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A {@link LedgerServer} in a process of its own, to be killed. */
final class ServerProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Process process;
    private final int port;

    private ServerProcess(Path directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    static Path ledger(Path directory) {
        return directory.resolve("ledger");
    }

    /** Ready to take requests when it returns. */
    static ServerProcess start(Path directory) throws IOException {
        Path port = directory.resolve("port");
        Path log = directory.resolve("server.log");
        Files.deleteIfExists(port);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LedgerServer.class.getName(),
                        data(directory).toString(),
                        ledger(directory).toString(),
                        port.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(port)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IllegalStateException("the server doesn't start:\n" + Files.readString(log));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return new ServerProcess(directory, process, Integer.parseInt(Files.readString(port)));
    }

    String url() {
        return "http://localhost:" + port + "/api/v1";
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGKILL for the database too: the postmaster and all its children, as when the machine loses power. */
    void killDatabase() throws IOException {
        List<String> lines =
                Files.readAllLines(data(directory).resolve("postgres").resolve("postmaster.pid"));
        ProcessHandle postmaster =
                ProcessHandle.of(Long.parseLong(lines.getFirst().strip())).orElseThrow();
        List<ProcessHandle> children = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().join();
    }

    /** SIGTERM; the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the server doesn't stop");
        }
        return process.exitValue();
    }
}
