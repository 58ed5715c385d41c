package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * cases.md 4: a run that works on thousands of items beside each other. What the database writes for an item doesn't depend on how
 * many there are, so that nothing which grows with the run is written again for each; and another run passes it.
 */
final class FanOutCostTest extends PostgresTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int WINDOW = 500;

    /** Few commands in a commit: what is written again with every commit weighs the more. */
    private static final int BATCH = 20;

    private SteppedEngine engine() {
        return new SteppedEngine(
                opened().ports(),
                "one",
                BuiltInActions.registry(),
                Runnable::run,
                ShardConfig.DEFAULT.withBatch(BATCH));
    }

    private static Program forEach() {
        return ProgramBuilder.dag("for-each")
                .forEach("each", "all", new JsonString("{{ trigger.items }}"), "one", WINDOW)
                .join("all")
                .edge("start", "each")
                .branch("one", "each", "work", Scope.Kind.SETTLING, Scope.FailurePolicy.FAIL)
                .task("work", "core.echo")
                .edge("work", "all")
                .build();
    }

    private StartRequest request(Program program, int items) {
        List<JsonValue> all = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            all.add(JsonNumber.of(i));
        }
        StartRequest start = Published.in(opened().ports().workflows(), Moves.ACME, program, Instant.now())
                .start();
        JsonObject trigger =
                JsonObject.builder().put("items", new JsonArray(all)).build();
        return new StartRequest(
                start.tenant(),
                start.workflow(),
                start.version(),
                start.program(),
                start.requestId(),
                Map.of("trigger", trigger),
                start.actor(),
                start.correlation(),
                start.requested(),
                start.subject());
    }

    private static RunId start(SteppedEngine engine, StartRequest request) {
        CompletableFuture<StartAnswer> answer = engine.node.start(request);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answer.isDone()) {
            assertTrue(System.nanoTime() < end, "it doesn't begin");
            step(engine);
        }
        return assertInstanceOf(StartAnswer.Started.class, answer.join()).run();
    }

    /** One round of each shard. */
    private static void step(SteppedEngine engine) {
        engine.node.keepLeases();
        for (ShardLoop loop : List.copyOf(engine.node.loops())) {
            loop.step();
        }
    }

    private RunRow row(RunId run) throws Exception {
        return opened().ports().runs().run(Moves.ACME, run).orElseThrow();
    }

    private RunRow finish(SteppedEngine engine, RunId run) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!row(run).status().isFinal()) {
            assertTrue(System.nanoTime() < end, () -> run + " isn't over");
            for (int i = 0; i < 20; i++) {
                step(engine);
            }
        }
        return row(run);
    }

    private long wal() throws Exception {
        return number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    /** Whole pages, which the first change after a checkpoint writes, would say more of the checkpoints than of the items. */
    private void wholePages(boolean on) throws Exception {
        admin("ALTER SYSTEM SET full_page_writes = " + (on ? "on" : "off"), "SELECT pg_reload_conf()");
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            assertTrue(System.nanoTime() < end, "the server doesn't heed its setting");
            admin("CHECKPOINT");
        } while (number("SELECT CASE WHEN full_page_writes THEN 1 ELSE 0 END FROM pg_control_checkpoint()")
                != (on ? 1 : 0));
    }

    /** Bytes of WAL for each item. */
    private double bytesAnItem(SteppedEngine engine, int items) throws Exception {
        StartRequest request = request(forEach(), items);
        long before = wal();

        RunRow row = finish(engine, start(engine, request));

        double bytes = (double) (wal() - before) / items;
        assertEquals(RunStatus.SUCCEEDED, row.status());
        History history =
                History.of(opened().ports().runs(), Moves.ACME, row.key().run());
        assertEquals(items, history.all(ForkEvent.JoinFired.class).getFirst().arrived());
        return bytes;
    }

    @Test
    void tenTimesTheItemsCostTenTimesTheWrites() throws Exception {
        SteppedEngine engine = engine();
        bytesAnItem(engine, 100);

        wholePages(false);
        try {
            double few = bytesAnItem(engine, 1_000);
            double many = bytesAnItem(engine, 10_000);

            assertTrue(
                    many <= 1.5 * few, () -> few + " bytes of WAL for each of 1,000, " + many + " for each of 10,000");
        } finally {
            wholePages(true);
        }
    }

    /** Rounds of the shards until a run of five steps is over. */
    private int rounds(SteppedEngine engine, Published small) throws Exception {
        RunId run = start(engine, small.start());
        int rounds = 0;
        while (!row(run).status().isFinal()) {
            step(engine);
            rounds++;
        }
        return rounds;
    }

    @Test
    void anotherRunNeedsAsManyRoundsBesideAWideOneAsAlone() throws Exception {
        SteppedEngine engine = engine();
        Published small = Published.in(
                opened().ports().workflows(),
                Moves.ACME,
                ProgramBuilder.sequence("small", 5, "core.echo"),
                Instant.now());
        int alone = rounds(engine, small);
        RunId wide = start(engine, request(forEach(), 10_000));
        for (int i = 0; i < 5; i++) {
            step(engine);
        }
        assertTrue(row(wide).lastSequence() > WINDOW, "it is under way");

        int beside = rounds(engine, small);

        assertFalse(row(wide).status().isFinal(), "and still is");
        assertTrue(beside <= alone + 2, () -> beside + " rounds, and " + alone + " alone");
        assertEquals(RunStatus.SUCCEEDED, finish(engine, wide).status());
    }
}
