package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.rig.JavaProcess;
import dev.flowstone.bench.torture.check.Delivery;
import dev.flowstone.bench.torture.check.Effect;
import dev.flowstone.bench.worker.EffectWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The worker's process, which webhooks go to as well, and its two ledgers. One process at a time, which may be killed and started again. */
public final class EffectProcess implements AutoCloseable {
    private static final Duration ENDS = Duration.ofSeconds(30);
    private static final int MEGABYTES = 192;

    private final Path effects;
    private final Path messages;
    private final int port;
    private final List<String> nodes;
    private JavaProcess process;

    private EffectProcess(Path effects, Path messages, int port, List<String> nodes) throws IOException {
        this.effects = requireNonNull(effects);
        this.messages = requireNonNull(messages);
        this.port = port;
        this.nodes = List.copyOf(nodes);
        this.process = process();
    }

    /**
     * Starts it.
     *
     * @param folder for the ledgers
     * @param port of the loopback interface, for webhooks
     */
    static EffectProcess start(Path folder, int port, List<Node> nodes) throws IOException {
        return new EffectProcess(
                folder.resolve("effects.log"),
                folder.resolve("messages.log"),
                port,
                nodes.stream().map(Node::url).toList());
    }

    private JavaProcess process() throws IOException {
        String[] arguments = Stream.concat(
                        Stream.of(effects.toString(), messages.toString(), Integer.toString(port)), nodes.stream())
                .toArray(String[]::new);
        return JavaProcess.start("effect-worker", MEGABYTES, ENDS, EffectWorker.class, arguments);
    }

    synchronized boolean isAlive() {
        return process.isAlive();
    }

    /** Fails, with its last words, if it has ended by itself. */
    public synchronized void requireAlive() throws IOException {
        process.requireAlive();
    }

    /** SIGKILL; returns when it has gone. */
    public synchronized void kill() throws IOException, InterruptedException {
        process.kill();
        process.close();
    }

    /** Another process goes on with the ledgers. */
    public synchronized void restart() throws IOException {
        process = process();
    }

    /** What it wrote down of effects. */
    public List<Effect> effects() throws IOException {
        return lines(effects).map(Effect::parse).toList();
    }

    /** What it wrote down of messages. */
    public List<Delivery> deliveries() throws IOException {
        return lines(messages).map(Delivery::parse).toList();
    }

    private static Stream<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.of();
    }

    /** Its ledgers are whole from then on. */
    @Override
    public synchronized void close() throws IOException {
        process.close();
    }
}
