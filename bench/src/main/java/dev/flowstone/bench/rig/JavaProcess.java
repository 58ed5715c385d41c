package dev.flowstone.bench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own, with this one's class path. Its standard input says only {@link #nod}: that it ends asks the process to end, and so it
 * does when this process is killed.
 */
public final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path log;
    private final String what;
    private final Duration patience;

    private JavaProcess(Process process, Path log, String what, Duration patience) {
        this.process = process;
        this.log = log;
        this.what = what;
        this.patience = patience;
    }

    /**
     * Starts one.
     *
     * @param what it is, for whoever reads that it failed
     * @param megabytes of heap
     * @param patience how long it may take to end once it is asked to; then it is killed
     */
    public static JavaProcess start(String what, int megabytes, Duration patience, Class<?> main, String... arguments)
            throws IOException {
        return start(what, megabytes, patience, main.getName(), Map.of(), List.of(arguments));
    }

    /** The same by the name of a main class that isn't known here, with variables of its own and none of Flowstone's that are set here. */
    static JavaProcess start(
            String what,
            int megabytes,
            Duration patience,
            String main,
            Map<String, String> environment,
            List<String> arguments)
            throws IOException {
        Path log = Files.createTempFile("flowstone-" + what, ".log");
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx" + megabytes + "m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main),
                        arguments.stream())
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("FLOWSTONE_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new JavaProcess(process, log, what, patience);
    }

    /** What it says on standard output; somebody has to read it, or it stops when nobody does. */
    public BufferedReader lines() {
        return process.inputReader();
    }

    /** Reads what it says from now on, and drops it. */
    void discardLines() {
        Thread.ofVirtual().start(() -> {
            try {
                long _ = lines().transferTo(Writer.nullWriter());
            } catch (IOException e) {
                // It has ended.
            }
        });
    }

    /** Processor time that it has taken so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Fails, with its last words, if it has ended before it was asked to. */
    public void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "the " + what + " ended with " + process.exitValue() + ":\n" + Files.readString(log));
        }
    }

    /** Says on its standard input, in a byte, that it may do what it waits with. */
    public void nod() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended; whoever waits for it says so.
        }
    }

    /** Asks it to end, and goes on. */
    public void ask() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended by itself.
        }
    }

    /** SIGKILL; returns when it has gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        ask();
        try {
            if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
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
