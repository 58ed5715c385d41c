package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.check.Acknowledged;
import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.bench.torture.company.Node;
import dev.flowstone.bench.torture.company.Rest;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.bench.torture.load.CommandLedger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds out when all is well: runs are started at each node, so many that hardly a shard gets none, and each has to be
 * acknowledged there and to be told as finished there.
 */
public final class Prober {
    private static final int EACH = 24;
    private static final Duration CALL = Duration.ofSeconds(3);
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration GLANCE = Duration.ofMillis(200);

    private final Rest rest;
    private final CommandLedger ledger;
    private final AtomicLong number = new AtomicLong();

    public Prober(Rest rest, CommandLedger ledger) {
        this.rest = requireNonNull(rest);
        this.ledger = requireNonNull(ledger);
    }

    /**
     * Waits until all is well at these nodes.
     *
     * @param since a moment of {@link System#nanoTime}
     * @return how long that was since then; empty if nobody waits that long
     */
    public Optional<Duration> await(List<Node> nodes, long since) throws InterruptedException {
        return await(Kind.PROBE, nodes, since);
    }

    /** The same by runs of another kind, which need nothing but to be started. */
    Optional<Duration> await(Kind kind, List<Node> nodes, long since) throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        boolean well = true;
        try (ExecutorService probes = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (Node node : nodes) {
                for (int i = 0; i < EACH; i++) {
                    all.add(probes.submit(() -> probe(kind, node, "probe-" + number.incrementAndGet(), end)));
                }
            }
            for (Future<Boolean> one : all) {
                well &= one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a probe failed", e.getCause());
        }
        return well ? Optional.of(Duration.ofNanos(System.nanoTime() - since)) : Optional.empty();
    }

    private boolean probe(Kind kind, Node node, String key, long end) throws InterruptedException {
        String run = "";
        while (System.nanoTime() < end) {
            if (run.isEmpty()) {
                run = started(kind, node, key);
            } else if (isFinished(kind, node, run)) {
                return true;
            }
            Thread.sleep(GLANCE);
        }
        return false;
    }

    private String started(Kind kind, Node node, String key) throws InterruptedException {
        long before = System.currentTimeMillis();
        JsonObject body = JsonObject.builder().put("requestId", key).build();
        String run = rest.post(node, "/api/v1/workflows/" + kind.workflow() + "/execute", body, Map.of(), CALL)
                .filter(Answer::isOk)
                .map(answer -> text(answer.body(), "executionId"))
                .orElse("");
        if (!run.isEmpty()) {
            ledger.add(new Acknowledged.Started(kind, key, run), before);
        }
        return run;
    }

    private boolean isFinished(Kind kind, Node node, String run) throws InterruptedException {
        return rest.get(node, "/api/v1/executions/" + run, CALL)
                .filter(answer -> text(answer.body(), "status").equals(kind.status()))
                .isPresent();
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }
}
