package dev.flowstone.testkit.scenario;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Runs a program to its end with the production engine, on this thread, in virtual time: a wait of three days takes
 * milliseconds, and equal inputs give equal histories, byte by byte.
 */
public final class ScenarioEngine {
    private static final TenantId TENANT = new TenantId("scenario");
    private static final Duration LONG = Duration.ofDays(36_500);

    private final VirtualClock clock = VirtualClock.start();
    private final Ports ports;
    private final SteppedNode node;

    public ScenarioEngine(Expressions expressions, HandlerRegistry handlers) {
        this(expressions, handlers, 1);
    }

    /**
     * An engine over an empty database.
     *
     * @param seed of everything that is random
     */
    public ScenarioEngine(Expressions expressions, HandlerRegistry handlers, long seed) {
        this.ports = new InMemoryDatabase(clock, 1).ports();
        EngineConfig config = EngineConfig.of("scenario")
                .withLease(new LeaseConfig(LONG, Duration.ZERO))
                .withShard(ShardConfig.DEFAULT.withInboxPoll(LONG).withTimers(LONG, 1_000, 200_000));
        EngineParts parts = EngineParts.of(ports, expressions, handlers)
                .withSchedules(new CronSchedules())
                .withRandom(new SplittableRandom(seed));
        this.node = new SteppedNode(clock, config, parts);
    }

    /** A run that has ended. */
    public record Ended(RunId run, RunStatus status, History history, Duration took) {
        /** Of a run that succeeded. */
        public Optional<JsonValue> output() {
            return history.all(EventBody.RunCompleted.class).stream()
                    .findFirst()
                    .map(end -> ((Payload.Inline) end.output()).value());
        }
    }

    public VirtualClock clock() {
        return clock;
    }

    public Ports ports() {
        return ports;
    }

    public SteppedNode node() {
        return node;
    }

    /**
     * Starts the program and runs it until it has ended.
     *
     * @throws IllegalStateException if it is refused, or hasn't ended after a hundred years
     */
    public Ended run(Program program, Map<String, JsonValue> input) {
        Published published = Published.in(ports.workflows(), TENANT, program, clock.now());
        Instant begin = clock.now();
        node.settle();
        CompletableFuture<StartAnswer> answer = node.node().start(published.start(Optional.empty(), input));
        node.settle();
        if (!(answer.getNow(null) instanceof StartAnswer.Started started)) {
            throw new IllegalStateException("not started: " + answer.getNow(null));
        }
        node.runUntil(() -> row(started.run()).status().isFinal(), LONG);
        return new Ended(
                started.run(),
                row(started.run()).status(),
                History.of(ports.runs(), TENANT, started.run()),
                Duration.between(begin, clock.now()));
    }

    private RunRow row(RunId run) {
        try {
            return ports.runs().run(TENANT, run).orElseThrow();
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }
}
