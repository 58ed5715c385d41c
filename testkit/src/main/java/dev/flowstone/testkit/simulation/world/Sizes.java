package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.Quotas;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.MessageBounds;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How large everything is in one world: small, so that bounds are reached, caches overflow and pages turn.
 *
 * @param namesSurvive whether a restarted process has its old name, and so takes its shards back at once
 * @param shares whether nodes share shards by themselves; else the world sees to it that each has some
 */
record Sizes(
        int nodes,
        int shards,
        ShardConfig shard,
        TaskConfig task,
        WorkClasses classes,
        Quotas quotas,
        Bounds bounds,
        boolean namesSurvive,
        boolean shares,
        LeaseConfig lease) {
    private static final int INLINE_BYTES = 200;
    private static final int PROGRAMS = 1;

    static Sizes of(long seed) {
        Dice dice = new Dice(seed, "settings");
        ShardConfig shard = ShardConfig.DEFAULT
                .withBatch(dice.percent(50) ? dice.between(1, 5) : 100)
                .withStartQueue(dice.percent(30) ? dice.between(1, 3) : 1_000)
                .withRecoveryPage(dice.percent(50) ? dice.between(1, 3) : 100)
                .withCache(dice.percent(25) ? 2_000 : 8 << 20)
                .withPayloads(dice.percent(50) ? 500 : 1 << 20)
                .withSnapshots(dice.between(3, 30), dice.between(2, 10))
                .withTimers(Duration.ofSeconds(dice.between(5, 120)), dice.between(1, 20), 20)
                .withInboxPoll(Duration.ofMillis(dice.between(500, 5_000)))
                .withReceiptLifetime(receiptLifetime(seed));
        TaskConfig task = new TaskConfig(
                dice.percent(30) ? dice.between(1, 3) : 100, limits(seed), 1_000, INLINE_BYTES, 1 << 20, 200);
        Bounds bounds = new Bounds(dice.percent(35) ? dice.between(1, 6) : 1_000, 20, 1 << 20, INLINE_BYTES, 5_000_000)
                .withMessages(new MessageBounds(
                        dice.percent(50) ? dice.between(1, 2) : 1_000,
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(dice.between(1, 9)),
                        dice.between(1, 4),
                        false));
        return new Sizes(
                dice.between(2, 3),
                dice.percent(20) ? 1 : dice.between(2, 4),
                shard,
                task,
                classes(seed),
                quotas(seed),
                bounds,
                dice.percent(50),
                new Dice(seed, "company").percent(60),
                lease(seed));
    }

    /** What goes to another node waits for its handlers: not at all, or longer than many of them take. */
    private static LeaseConfig lease(long seed) {
        Dice dice = new Dice(seed, "leases");
        return new LeaseConfig(
                LeaseConfig.DEFAULT.timeToLive(),
                LeaseConfig.DEFAULT.margin(),
                Duration.ofSeconds(dice.percent(30) ? 0 : dice.between(1, 30)));
    }

    /** On one action alone, and on all; by number, by rate and by both. */
    private static List<ActionLimit> limits(long seed) {
        Dice dice = new Dice(seed, "limits");
        return Stream.of(Handlers.WORK.value(), Handlers.MUTATE.value(), Handlers.OUTSIDE.value(), "sim.*")
                .filter(_ -> dice.percent(25))
                .map(actions -> {
                    int atOnce = dice.percent(70) ? dice.between(1, 3) : 0;
                    boolean paced = atOnce == 0 || dice.percent(40);
                    return new ActionLimit(actions, atOnce, paced ? dice.between(1, 20) / 2.0 : 0);
                })
                .toList();
    }

    private static WorkClasses classes(long seed) {
        Dice dice = new Dice(seed, "classes");
        return new WorkClasses(Stream.of("w0", "w1", "w2")
                .filter(_ -> dice.percent(25))
                .map(WorkflowId::new)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Mostly for ever; else far longer than clocks are wrong, and short enough to run out. */
    private static Duration receiptLifetime(long seed) {
        Dice dice = new Dice(seed, "receipts");
        return dice.percent(30) ? Duration.ofMinutes(dice.between(10, 60)) : Duration.ofDays(365);
    }

    /** Often less than callers ask for, sometimes more; mostly none. */
    private static Quotas quotas(long seed) {
        Dice dice = new Dice(seed, "quotas");
        return dice.percent(15) ? new Quotas(dice.between(1, 12) / 4.0, Map.of(), Map.of()) : Quotas.NONE;
    }

    EngineConfig engine(String node, int incarnation) {
        EngineConfig usual = EngineConfig.of(namesSurvive ? node : node + "." + incarnation);
        Optional<Member> member =
                Optional.of(new Member(usual.node(), node, "")).filter(_ -> shares);
        return new EngineConfig(
                usual.node(),
                shard,
                task,
                lease,
                usual.outbox(),
                bounds,
                PROGRAMS,
                usual.inputBytes(),
                quotas,
                classes,
                member,
                usual.deadLetters());
    }
}
