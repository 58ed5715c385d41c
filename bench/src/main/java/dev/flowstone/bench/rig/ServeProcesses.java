package dev.flowstone.bench.rig;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.postgres.PostgresConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Nodes that share a database's shards, each a process of its own. */
public final class ServeProcesses implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final List<ServeProcess> all = new ArrayList<>();

    private ServeProcesses() {}

    /** Starts so many, one after the other, and waits until each is ready. */
    public static ServeProcesses start(
            int count, String commandLine, PostgresConfig database, NodeCertificates certificates) throws IOException {
        ServeProcesses nodes = new ServeProcesses();
        try {
            for (int i = 1; i <= count; i++) {
                nodes.all.add(ServeProcess.start(commandLine, "node-" + i, database, certificates));
            }
            return nodes;
        } catch (IOException | RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    public List<ServeProcess> all() {
        return List.copyOf(all);
    }

    public int count() {
        return all.size();
    }

    /** Waits until all of so many shards are held, and by each node its part of them. */
    public void awaitShares(int shards) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!areShared(shards)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the nodes haven't shared the shards within " + PATIENCE.toSeconds()
                        + " s: " + all.getFirst().get("/api/v1/cluster"));
            }
            Thread.sleep(GLANCE);
        }
    }

    private boolean areShared(int shards) {
        String answer = all.getFirst().get("/api/v1/cluster");
        try {
            JsonCursor cluster = JsonCursor.of(JsonParser.parse(answer.getBytes(StandardCharsets.UTF_8)));
            List<Long> held = cluster.member("nodes").items().stream()
                    .map(node -> node.longValue("shards"))
                    .toList();
            return held.size() == count()
                    && held.stream().allMatch(its -> its >= shards / count())
                    && held.stream().mapToLong(Long::longValue).sum() == shards;
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("/api/v1/cluster was answered " + answer, e);
        }
    }

    /** What all have done so far. */
    public NodeWork work() {
        return all.stream().map(ServeProcess::work).reduce(NodeWork.NOTHING, NodeWork::plus);
    }

    /** Processor time that all have taken so far. */
    public Duration cpu() {
        return all.stream().map(ServeProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() throws IOException {
        if (!all.isEmpty()) {
            // Each is closed, whatever becomes of the others.
            try (ServeProcess _ = all.removeLast()) {
                close();
            }
        }
    }
}
