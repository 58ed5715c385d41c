package dev.flowstone.testkit.simulation;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.testkit.simulation.action.People;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RemoteWorker;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.Violation;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The end of a seed: faults stop, clocks are right, every node comes back, and time goes on until nothing is left to do. Callers
 * who never heard what became of their start ask again; who waits for a person or a signal gets it, as often as it takes.
 *
 * <p>It ends when nothing moves by itself, nobody has anything to ask for and nothing can be given; not after so many rounds,
 * since a run deep down may take minutes to end, and only then does the one that called it open a task for people. Every program
 * that can go round has a deadline, so that all come to rest; if not within the bounds here, that is a violation of I8.
 */
final class Settling {
    private static final Duration LONGEST = Duration.ofHours(6);
    private static final int MOST_LEAPS = 20_000;

    /** So many times it goes to the very next thing that happens; then time goes faster, or going round would take all of it. */
    private static final int SMALL_LEAPS = 100;

    private static final int MOST_ROUNDS = 50;
    private static final int MOST_EVENTS = 1_000;
    private static final Duration ROUND_AND_ROUND = Duration.ofSeconds(5);

    /** Not longer than a lease, which would be lost each time. */
    private static final Duration TOO_MUCH = Duration.ofSeconds(10);

    private static final int MOST_ASKED = 60;
    private static final int QUIET_ROUNDS = 2;

    private final World world;
    private final Runnable check;
    private final LastOrders orders;
    private Instant latest = Instant.MAX;
    private int leaps;

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
        orders.release();
        latest = world.now().plus(LONGEST);
        int asked = 0;
        int quiet = 0;
        for (int round = 0; quiet < QUIET_ROUNDS; round++) {
            rest();
            boolean asks = ask();
            if (asks && ++asked > MOST_ASKED) {
                throw new Violation("I12", "a start can't be brought to an end: " + unsettled());
            }
            boolean helped = help(round);
            quiet = asks || helped ? 0 : quiet + 1;
            world.advance(asks || helped ? Duration.ofSeconds(1) : ROUND_AND_ROUND);
        }
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
                HumanCommand resolve = new HumanCommand.Resolve(id, likeliest(log, id), "at last");
                helped |= People.ask(world, dice, log.run(), resolve, Actor.ENGINE);
            }
            if (log.state().awaits().isEmpty()) {
                continue;
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

    private static Outcome likeliest(RunLog log, ActivationId task) {
        Node.HumanTask node = (Node.HumanTask) log.state().program().node(task.node());
        return node.outcomes().getFirst();
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
        boolean resets = askForResets();
        return resets || !asking.isEmpty();
    }

    private boolean askForResets() {
        List<ResetRequest> asking = world.clients().resets().stream()
                .filter(request ->
                        request.requestId().isPresent() && !world.clients().isSettled(request))
                .toList();
        // A node says only when it has read the other run's past that it has no room: the next time it is another one's
        // turn.
        SimulatedNode node = world.nodes().get(leaps % world.nodes().size());
        asking.forEach(request -> world.clients().reset(node, request));
        return !asking.isEmpty();
    }

    /** Goes on until nothing happens by itself but the keeping of leases. */
    private void rest() {
        while (leaps++ < MOST_LEAPS && world.now().isBefore(latest)) {
            if (!work()) {
                world.advance(TOO_MUCH);
                continue;
            }
            if (orders.giveEarly()) {
                continue;
            }
            if (isQuiet()) {
                return;
            }
            Duration least = leaps < SMALL_LEAPS ? Duration.ofMillis(1) : ROUND_AND_ROUND;
            Duration left = Duration.between(world.now(), world.next().isAfter(latest) ? latest : world.next());
            world.advance(left.compareTo(least) < 0 ? least : left);
        }
        throw new Violation(
                "I8",
                "it never comes to rest; these go on: "
                        + world.logs().values().stream()
                                .filter(log -> !waitsForNothing(log))
                                .map(RunLog::name)
                                .toList());
    }

    /**
     * Everything that can be done at this instant; runs that go round with channels and children, or that multiply, have time
     * pass, so that their deadline ends them.
     */
    private boolean work() {
        long most = events() + MOST_EVENTS;
        for (int i = 0; i < MOST_ROUNDS && events() < most; i++) {
            boolean more = world.deliver();
            for (SimulatedNode node : world.nodes()) {
                more |= node.step();
                more |= node.work(i);
                check.run();
            }
            for (RemoteWorker worker : world.workers()) {
                more |= worker.work(i);
            }
            if (!more) {
                return true;
            }
        }
        return false;
    }

    private long events() {
        return world.logs().values().stream()
                .mapToLong(log -> log.events().size())
                .sum();
    }

    private boolean isQuiet() {
        return world.network().isEmpty()
                && world.nodes().stream().noneMatch(SimulatedNode::hasHandlers)
                && world.logs().values().stream().allMatch(Settling::waitsForNothing)
                && everyShardIsReady()
                && !lettersAreUnderWay()
                && !messagesWait();
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

    /** A letter that has arrived lies in an inbox until its shard looks there, which may be seconds later. */
    private boolean messagesWait() {
        try {
            for (ShardLoop loop : loops().toList()) {
                if (!world.database().ports().journal().inbox(loop.lease(), 1).isEmpty()) {
                    return true;
                }
            }
            return false;
        } catch (JournalException e) {
            // The lease of a loop that has ended may be another's by now, whose inbox is looked at as well.
            return true;
        }
    }

    private Stream<ShardLoop> loops() {
        return world.nodes().stream()
                .flatMap(node -> node.engine().stream())
                .flatMap(engine -> engine.node().loops().stream());
    }

    private boolean everyShardIsReady() {
        long ready = loops().filter(ShardLoop::isReady).count();
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
