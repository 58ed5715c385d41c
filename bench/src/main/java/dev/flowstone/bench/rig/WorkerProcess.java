package dev.flowstone.bench.rig;

import dev.flowstone.bench.worker.NoOpWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A worker in a JVM of its own, with this one's class path. It ends when this is closed, and when this process does. */
public final class WorkerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Path log;

    private WorkerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts one; the first task waits until it is there.
     *
     * @param port of the server, on the loopback interface
     * @param places tasks that it holds at once, until it has heard that they are recorded
     */
    public static WorkerProcess start(int port, int places) throws IOException {
        Path log = Files.createTempFile("flowstone-worker", ".log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NoOpWorker.class.getName(),
                        "http://127.0.0.1:" + port,
                        Rig.TENANT.value(),
                        NoOps.REMOTE_ACTION,
                        Integer.toString(places))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new WorkerProcess(process, log);
    }

    /** Fails, with its last words, if it has ended before it was asked to. */
    public void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "the worker ended with " + process.exitValue() + ":\n" + Files.readString(log));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended by itself.
        }
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            Files.deleteIfExists(log);
        }
    }
}
