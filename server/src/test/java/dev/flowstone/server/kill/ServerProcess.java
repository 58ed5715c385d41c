package dev.flowstone.server.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server in a process of its own, to be killed. */
final class ServerProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Process process;

    private ServerProcess(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    static Path ledger(Path directory) {
        return directory.resolve("ledger");
    }

    private static Path port(Path directory) {
        return directory.resolve("port");
    }

    /** A {@link LedgerServer}, ready to take requests when it returns. */
    static ServerProcess start(Path directory) throws IOException {
        ServerProcess server = launch(directory, LedgerServer.class);
        server.awaitReady();
        return server;
    }

    /** Only begun when it returns: it may be killed while it opens the database or takes up its runs. */
    static ServerProcess launch(Path directory, Class<?> main) throws IOException {
        Path port = port(directory);
        Files.deleteIfExists(port);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        data(directory).toString(),
                        ledger(directory).toString(),
                        port.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("server.log").toFile()))
                .start();
        return new ServerProcess(directory, process);
    }

    void awaitReady() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        "the server doesn't start:\n" + Files.readString(directory.resolve("server.log")));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    boolean isReady() {
        return Files.exists(port(directory));
    }

    /** Of a server that is ready. */
    String url() throws IOException {
        return "http://localhost:" + Files.readString(port(directory)) + "/api/v1";
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGKILL for the database too: the postmaster and all its children, as when the machine loses power. None if there is none. */
    void killDatabase() throws IOException {
        Path pid = data(directory).resolve("postgres").resolve("postmaster.pid");
        if (!Files.exists(pid)) {
            return;
        }
        List<String> lines = Files.readAllLines(pid);
        // The file of a server that is dead already may name somebody else's process by now.
        Optional<ProcessHandle> running = ProcessHandle.of(
                        Long.parseLong(lines.getFirst().strip()))
                .filter(process -> process.info().command().orElse("").endsWith("postgres"));
        running.ifPresent(postmaster -> {
            List<ProcessHandle> children = postmaster.descendants().toList();
            postmaster.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            postmaster.onExit().join();
        });
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
