package dev.flowstone.testkit.simulation;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.testkit.simulation.action.People;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.Violation;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The end of a seed: faults stop, clocks are right, every node comes back, and time goes on until nothing is left to do. Callers
 * who never heard what became of their start ask again. If it never comes to rest, that is a violation of I8.
 */
final class Settling {
    private static final int MOST_LEAPS = 5_000;
    private static final int MOST_ROUNDS = 150;
    private static final Duration ROUND_AND_ROUND = Duration.ofSeconds(5);
    private static final int MOST_ASKED = 60;
    private static final int MOST_HELPED = 60;
    private static final int LAST_ROUNDS = 14;

    private final World world;
    private final Runnable check;
    private final LastOrders orders;

    /**
     * The end of a world.
     *
     * @param check is called after every step
     */
    Settling(World world, Runnable check) {
        this.world = world;
        this.check = check;
        this.orders = new LastOrders(world);
    }

    void settle() {
        world.trace().step("end");
        world.say(() -> "faults are over");
        world.heal();
        rest();
        for (int i = 0; i < MOST_ASKED && ask(); i++) {
            world.advance(Duration.ofSeconds(1));
            rest();
        }
        int round = helpAll(0);
        if (ask()) {
            throw new Violation("I12", "a start can't be brought to an end: " + unsettled());
        }
        // What arrives only now may be what somebody waits for, who then needs help again.
        for (int next = lastRounds(round); next > round + 1; next = lastRounds(round)) {
            round = next;
        }
    }

    /** Helps as long as somebody needs it, from this round on; answers with the one after the last. */
    private int helpAll(int first) {
        int round = first;
        while (round < MOST_HELPED && help(round)) {
            world.advance(Duration.ofSeconds(1));
            rest();
            round++;
        }
        return round + 1;
    }

    /** Every inbox is looked at once more: a shard whose node's clock was ahead takes as long to see time go on again. */
    private int lastRounds(int round) {
        for (int i = 0; i < LAST_ROUNDS; i++) {
            world.advance(Duration.ofSeconds(5));
            rest();
        }
        return helpAll(round);
    }

    /**
     * Gives whoever still waits what comes to everybody at last: a signal, a decision.
     *
     * @param round makes the requests of one round others than those of the one before
     */
    private boolean help(int round) {
        Dice dice = new Dice(world.seed(), "help", round);
        boolean helped = orders.give(round);
        for (RunLog log : world.runs()) {
            for (OpenHumanTask task : log.state().humanTasks()) {
                ActivationId id = task.task().activation();
                HumanCommand resolve = new HumanCommand.Resolve(id, new Outcome("yes"), "at last");
                helped |= People.ask(world, dice, log.run(), resolve, Actor.ENGINE);
            }
            for (Event event : log.events()) {
                if (event.body() instanceof MessageEvent.AwaitOpened opened
                        && log.state().awaits().stream()
                                .anyMatch(await -> await.activation().equals(opened.activation()))) {
                    helped |= signal(opened, dice);
                }
            }
        }
        return helped;
    }

    private boolean signal(MessageEvent.AwaitOpened opened, Dice dice) {
        Command signal = new Command.SendSignal(
                World.TENANT,
                opened.channel(),
                opened.signalType(),
                opened.key(),
                Payload.of(JsonNumber.of(1)),
                Optional.empty(),
                false,
                Duration.ofSeconds(30));
        return People.ask(world, dice, new RunKey(World.TENANT, opened.channel()), signal, Actor.ENGINE);
    }

    private List<StartRequest> unsettled() {
        return world.clients().requests().stream()
                .filter(request ->
                        request.requestId().isPresent() && !world.clients().isSettled(request))
                .toList();
    }

    /** Whether somebody still has to ask. */
    private boolean ask() {
        List<StartRequest> asking = unsettled();
        for (StartRequest request : asking) {
            for (SimulatedNode node : world.nodes()) {
                if (world.clients().ask(node, request)) {
                    break;
                }
            }
        }
        return !asking.isEmpty();
    }

    /** Goes on until nothing happens by itself but the keeping of leases. */
    private void rest() {
        for (int i = 0; i < MOST_LEAPS; i++) {
            if (!work()) {
                world.advance(ROUND_AND_ROUND);
                continue;
            }
            if (isQuiet()) {
                return;
            }
            Instant next = world.next();
            Duration left = next.isAfter(world.now()) ? Duration.between(world.now(), next) : Duration.ofMillis(1);
            world.advance(left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left);
        }
        throw new Violation(
                "I8",
                "it never comes to rest; these go on: "
                        + world.logs().values().stream()
                                .filter(log -> !waitsForNothing(log))
                                .map(RunLog::name)
                                .toList());
    }

    /** Everything that can be done at this instant; runs that go round with channels and semaphores have time pass. */
    private boolean work() {
        for (int i = 0; i < MOST_ROUNDS; i++) {
            boolean more = world.deliver();
            for (SimulatedNode node : world.nodes()) {
                more |= node.step();
                more |= node.work(i);
                check.run();
            }
            if (!more) {
                return true;
            }
        }
        return false;
    }

    private boolean isQuiet() {
        return world.network().isEmpty()
                && world.nodes().stream().noneMatch(SimulatedNode::hasHandlers)
                && world.logs().values().stream().allMatch(Settling::waitsForNothing)
                && everyShardIsReady()
                && !lettersAreUnderWay()
                && inboxesAreEmpty();
    }

    private boolean lettersAreUnderWay() {
        try {
            for (Shard shard : world.database().ports().leases().shards()) {
                if (!world.database()
                        .ports()
                        .journal()
                        .letters(shard.id(), Optional.empty(), 1)
                        .isEmpty()) {
                    return true;
                }
            }
            return false;
        } catch (JournalException e) {
            throw new IllegalStateException("the database in memory can't be read", e);
        }
    }

    /** A page of messages may be followed by others, which the next round reads. */
    private boolean inboxesAreEmpty() {
        try {
            for (SimulatedNode node : world.nodes()) {
                for (ShardLoop loop : node.engine().map(up -> up.node().loops()).orElse(List.of())) {
                    if (!world.database()
                            .ports()
                            .journal()
                            .inbox(loop.lease(), 1)
                            .isEmpty()) {
                        return false;
                    }
                }
            }
            return true;
        } catch (JournalException e) {
            // A shard has just changed hands.
            return false;
        }
    }

    private boolean everyShardIsReady() {
        long ready = world.nodes().stream()
                .flatMap(node -> node.engine().stream())
                .flatMap(engine -> engine.node().loops().stream())
                .filter(loop -> loop.isReady())
                .count();
        return ready == world.database().ports().leases().shards().size();
    }

    /** Final, or only a person can help. */
    private static boolean waitsForNothing(RunLog log) {
        return log.state().status().isFinal()
                || log.state().hold() == Hold.SUSPENDED
                || (!log.state().hasOpenAttempts()
                        && !log.state().continues()
                        && log.state().timers().isEmpty());
    }
}
