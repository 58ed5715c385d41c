package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.net.FaultProxies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server process, its way to the database, and its clock. One process at a time, which may be ended and started again. */
public final class Node implements AutoCloseable {
    private static final Duration STOPS = Duration.ofSeconds(60);

    private final String name;
    private final int port;
    private final List<String> arguments;
    private final String password;
    private final Path log;
    private final FaultProxies database;
    private final Optional<FakeClock> clock;
    private @Nullable Process process;

    /**
     * One that isn't started yet.
     *
     * @param port at which it serves
     * @param arguments of its JVM, from the main class on
     * @param password of the database's user
     * @param database its way there
     */
    Node(
            String name,
            int port,
            List<String> arguments,
            String password,
            Path log,
            FaultProxies database,
            Optional<FakeClock> clock) {
        this.name = requireNonNull(name);
        this.port = port;
        this.arguments = List.copyOf(arguments);
        this.password = requireNonNull(password);
        this.log = requireNonNull(log);
        this.database = requireNonNull(database);
        this.clock = requireNonNull(clock);
    }

    public String name() {
        return name;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public FaultProxies database() {
        return database;
    }

    /** Begins; it isn't ready yet. It ends by itself when this JVM does. */
    public synchronized void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("FLOWSTONE_"));
        builder.environment().put("FLOWSTONE_DATABASE_PASSWORD", password);
        clock.ifPresent(fake -> builder.environment().putAll(fake.environment()));
        process = builder.start();
    }

    private synchronized Process process() {
        return requireNonNull(process, () -> name + " was never started");
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Fails, with the end of its log, if it has ended without being told to. */
    public void requireAlive() throws IOException {
        if (!process().isAlive()) {
            String said = Files.readString(log);
            throw new IllegalStateException(name + " ended with " + process().exitValue() + ":\n"
                    + said.substring(Math.max(0, said.length() - 2_000)));
        }
    }

    /** SIGKILL; returns when it has gone. */
    public void kill() throws InterruptedException {
        process().destroyForcibly().waitFor();
    }

    /** SIGSTOP: it stands still and knows nothing of it. */
    public void pause() throws IOException {
        OsSignal.STOP.send(process().pid());
    }

    /** SIGCONT: it goes on as if no time had passed. */
    public void resume() throws IOException {
        OsSignal.CONT.send(process().pid());
    }

    /** SIGTERM; whether it ended in good order, and in time. It has gone in either case. */
    public boolean stop() throws InterruptedException {
        process().toHandle().destroy();
        if (!process().waitFor(STOPS.toSeconds(), TimeUnit.SECONDS)) {
            kill();
            return false;
        }
        return process().exitValue() == 0;
    }

    /**
     * Sets its clock before or behind the right time.
     *
     * @throws IllegalStateException if its clock can't be set
     */
    public void setClock(Duration offset) throws IOException {
        clock.orElseThrow(() -> new IllegalStateException(name + " has the machine's clock"))
                .set(offset);
    }

    @Override
    public synchronized void close() throws IOException {
        Process last = process;
        if (last != null && last.isAlive()) {
            last.destroyForcibly().onExit().join();
        }
        database.close();
    }
}
