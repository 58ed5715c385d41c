package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.task.RemoteBeat;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskOutcomes;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process that makes attempts for the nodes: it claims some, says now and then that it lives, and answers, gives back or falls
 * silent. It may die, and then everything in its hands is forgotten here, while nodes learn of it only by its silence.
 */
public final class RemoteWorker {
    private static final TaskOutcomes OUTCOMES = new TaskOutcomes(TaskConfig.DEFAULT);
    private static final Duration LEASE = Duration.ofSeconds(10);
    static final Duration BEAT = Duration.ofSeconds(3);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration UNHEARD = Duration.ofSeconds(5);
    private static final int ROOM = 3;

    /** Each so-manieth time it looks for more. */
    private static final int CLAIMING = 4;

    /** Of a hundred claims that get nothing so many wait. */
    private static final int WAITING = 10;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** Of a hundred workers that die while they wait so many do so without their node's notice. */
    private static final int UNNOTICED = 50;

    /** Of a hundred attempts so many are given back, or never heard of again. */
    private static final int GIVEN_BACK = 12;

    private static final int SILENT = 8;

    /** Of a hundred answers so many go by a message that any node may take. */
    private static final int BY_MESSAGE = 40;

    private final World world;
    private final String name;
    private final List<Held> hands = new ArrayList<>();
    private @Nullable OpenClaim waits;

    /** What it does with an attempt doesn't go by the attempt's name: else one would be given back each time. */
    private int claims;

    RemoteWorker(World world, int number) {
        this.world = requireNonNull(world);
        this.name = "worker-" + number;
    }

    /** What becomes of attempts in the hands of workers; each has to happen. */
    public enum Deed {
        CLAIMED,
        /** It came to a claim that waited for it. */
        WAITED_FOR,
        BEATEN,
        ANSWERED,
        GIVEN_BACK,
        /** It went on under the lease of a node before. */
        TAKEN_OVER,
        /** A node said that it had given up on it. */
        GIVEN_UP,
        FELL_SILENT
    }

    /** Its process is gone, and with it all that it knew; false if nothing was in its hands and it waited for nothing. */
    public boolean die() {
        OpenClaim open = waits;
        if (hands.isEmpty() && open == null) {
            return false;
        }
        hands.clear();
        if (open != null
                && open.node().runs()
                && !new Dice(world.seed(), name, "unnoticed", claims).percent(UNNOTICED)) {
            open.at().ifPresent(_ -> open.claiming().giveUp());
        }
        waits = null;
        world.say(() -> name + " dies");
        return true;
    }

    /**
     * Goes on with one attempt that is due, or claims more; whether anything happened.
     *
     * @param choice which one, or where
     */
    public boolean work(int choice) {
        boolean more = goOnWith(choice);
        // Whoever has given something back, or ended it, may have made room for what others wait for.
        world.workers().forEach(RemoteWorker::hear);
        return more;
    }

    /** Its claim that waits is answered, if there is an answer. */
    void hear() {
        OpenClaim open = waits;
        if (open == null) {
            return;
        }
        Optional<EngineNode> at = open.at();
        if (at.isEmpty()) {
            waits = null;
        } else if (open.isAnswered(world.now())) {
            waits = null;
            List<RemoteTask> come = open.claiming().end();
            for (RemoteTask task : come) {
                take(open.node(), at.get(), task);
                did(Deed.WAITED_FOR);
            }
            if (!come.isEmpty()) {
                open.node().mustKeepLimits(Handlers.OUTSIDE);
            }
        }
    }

    private boolean goOnWith(int choice) {
        List<Held> due =
                hands.stream().filter(held -> !held.due.isAfter(world.now())).toList();
        if (!due.isEmpty() && choice % CLAIMING != 0) {
            goOn(due.get(choice % due.size()));
            return true;
        }
        List<SimulatedNode> nodes = choice % CLAIMING == 0 ? world.nodes() : List.of();
        for (int i = 0; i < nodes.size() && hands.size() < ROOM && waits == null; i++) {
            if (claim(nodes.get((choice + i) % nodes.size()))) {
                return true;
            }
        }
        due.stream().findFirst().ifPresent(this::goOn);
        return !due.isEmpty();
    }

    /** When it has something to do by itself. */
    Instant next() {
        OpenClaim open = waits;
        return Stream.concat(
                        hands.stream().map(held -> held.due),
                        Stream.ofNullable(open).map(OpenClaim::until))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private boolean claim(SimulatedNode node) {
        Optional<EngineNode> up = up(node);
        if (up.isEmpty()) {
            return false;
        }
        RemoteClaim claim = new RemoteClaim(World.TENANT, name, List.of(Handlers.OUTSIDE), ROOM - hands.size(), LEASE);
        List<RemoteTask> claimed = claimed(up.get(), claim);
        for (RemoteTask task : claimed) {
            take(node, up.get(), task);
        }
        if (!claimed.isEmpty()) {
            node.mustKeepLimits(Handlers.OUTSIDE);
        } else if (new Dice(world.seed(), name, "waits", ++claims).percent(WAITING)) {
            waits = new OpenClaim(
                    node,
                    node.incarnation(),
                    up.get().remoteTasks().begin(claim),
                    world.now().plus(LONGEST_WAIT));
        }
        return !claimed.isEmpty();
    }

    private static List<RemoteTask> claimed(EngineNode node, RemoteClaim claim) {
        try {
            return node.remoteTasks().claim(claim, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException("it waits for nothing", e);
        }
    }

    private void take(SimulatedNode node, EngineNode up, RemoteTask task) {
        Held held = new Held(
                task,
                node,
                world.handlers().outside(task.call()),
                new Dice(world.seed(), name, "deeds", ++claims),
                world.now());
        held.tenure = tenure(up, held);
        world.workers().forEach(worker -> worker.mustNotHave(held));
        Ledger.Effect effect =
                new Ledger.Effect(held.name.run(), held.name.activation(), held.name.attempt(), held.call.key(), name);
        world.say(() ->
                name + " claims " + effect.activation() + ", attempt " + effect.attempt() + ", of " + node.name());
        held.tenure.ifPresent(lease -> world.suspensions().begins(effect, lease));
        world.ledger().add(effect);
        hands.add(held);
        did(Deed.CLAIMED);
    }

    private static Optional<Lease> tenure(EngineNode up, Held held) {
        return up.loops().stream()
                .map(ShardLoop::lease)
                .filter(lease -> lease.shard().holds(held.name.run().run().slot()))
                .max(Comparator.comparingLong(Lease::epoch));
    }

    /** An attempt is in the hands of one worker, as long as its node hears of it and keeps the shard. */
    private void mustNotHave(Held taken) {
        for (Held held : hands) {
            if (held != taken
                    && held.name.equals(taken.name)
                    && held.node.equals(taken.node)
                    && held.incarnation == taken.incarnation
                    && held.tenure.map(Lease::epoch).equals(taken.tenure.map(Lease::epoch))
                    && held.until.isAfter(taken.node.furthest())) {
                world.violate(new Violation(
                        "R11",
                        taken.node.name() + " hands out " + taken.name.activation() + ", attempt "
                                + taken.name.attempt() + ", and " + name + " has it, whose lease has not run out"));
            }
        }
    }

    private void goOn(Held held) {
        CompletableFuture<CallAnswer> asked = held.asked;
        if (asked != null) {
            listen(held, asked);
        } else if (held.ends.isAfter(world.now())) {
            beat(held);
        } else {
            finish(held);
        }
    }

    private void listen(Held held, CompletableFuture<CallAnswer> asked) {
        CallAnswer answer = asked.getNow(null);
        boolean unheard = answer == null && held.askedAt.plus(UNHEARD).isBefore(world.now());
        if (answer instanceof CallAnswer.Busy || unheard) {
            held.asked = null;
        } else if (answer != null) {
            hands.remove(held);
            did(Deed.ANSWERED);
        }
        held.due = world.now().plus(AGAIN);
    }

    /** Whether it works on something that it has from this node. */
    public boolean worksFor(SimulatedNode node) {
        return hands.stream().anyMatch(held -> held.node.equals(node));
    }

    /** Its connection to a node broke: what it has from there it tells the others of. */
    public void misses(SimulatedNode node) {
        for (Held held : List.copyOf(hands)) {
            for (SimulatedNode other : world.nodes()) {
                if (hands.contains(held) && held.node.equals(node) && held.asked == null) {
                    beat(held, other);
                }
            }
        }
    }

    /** At the node that it has it from; if that is away, at any. */
    private void beat(Held held) {
        held.due = earlier(held.ends, world.now().plus(BEAT));
        List<SimulatedNode> at = held.node.runs() && held.dice.percent(80) ? List.of(held.node) : world.nodes();
        beat(held, held.dice.pick(at));
    }

    private void beat(Held held, SimulatedNode node) {
        up(node).ifPresent(up -> {
            switch (up.remoteTasks().heartbeat(held.name, held.lease, LEASE)) {
                case RemoteBeat.Held ours -> {
                    did(ours.lease().equals(held.lease) ? Deed.BEATEN : Deed.TAKEN_OVER);
                    held.lease = ours.lease();
                    held.node = node;
                    held.incarnation = node.incarnation();
                    held.tenure = tenure(up, held);
                    held.until = node.clock().plus(LEASE);
                    world.workers().forEach(worker -> worker.mustNotHave(held));
                }
                case RemoteBeat.Gone _ -> {
                    did(Deed.GIVEN_UP);
                    // A success counts all the same; what else would it say?
                    if (!(held.result instanceof TaskResult.Ok)) {
                        hands.remove(held);
                    }
                }
                case RemoteBeat.Unknown _ -> {}
            }
        });
    }

    private void finish(Held held) {
        int die = held.dice.below(100);
        if (die < GIVEN_BACK) {
            hands.remove(held);
            if (up(held.node)
                    .filter(up -> up.remoteTasks().giveBack(held.name, held.lease))
                    .isPresent()) {
                did(Deed.GIVEN_BACK);
            }
        } else if (die < GIVEN_BACK + SILENT) {
            hands.remove(held);
            did(Deed.FELL_SILENT);
        } else if (isAnothers(held)) {
            hands.remove(held);
        } else if (held.dice.percent(BY_MESSAGE)) {
            hands.remove(held);
            TaskAnswerMessage answer = new TaskAnswerMessage(held.name.activation(), held.name.attempt(), held.result);
            world.network()
                    .send(
                            answer.to(held.name.run(), name, world.now()),
                            world.now().plus(held.dice.millis(0, 3_000)));
            did(Deed.ANSWERED);
        } else {
            ask(held);
        }
    }

    /** How another worker's attempt fails is for that one to say; the interface refuses it. */
    private boolean isAnothers(Held held) {
        return held.result instanceof TaskResult.Failed
                && world.nodes().stream()
                        .flatMap(node -> up(node).stream())
                        .anyMatch(up -> up.remoteTasks().isAnothers(held.name, held.lease));
    }

    /** Goes from node to node until one doesn't say "busy" at once. */
    private void ask(Held held) {
        held.askedAt = world.now();
        held.due = world.now().plus(AGAIN);
        TaskOutcome outcome = OUTCOMES.of(held.result);
        CallRequest request = new CallRequest(
                held.name.run(),
                new Command.CompleteTask(held.name.activation(), held.name.attempt(), outcome.answer()),
                outcome.payloads(),
                new Actor("user", name),
                Optional.empty(),
                Optional.empty(),
                Sha256.ZERO,
                "outside");
        for (SimulatedNode node : world.nodes()) {
            CompletableFuture<CallAnswer> answer = up(node).map(up -> up.call(request))
                    .orElseGet(() -> CompletableFuture.completedFuture(new CallAnswer.Busy("it is away", AGAIN)));
            if (!(answer.getNow(null) instanceof CallAnswer.Busy)) {
                held.asked = answer;
                return;
            }
        }
    }

    private static Optional<EngineNode> up(SimulatedNode node) {
        return node.runs() ? node.engine().map(up -> up.node()) : Optional.empty();
    }

    private void did(Deed deed) {
        world.coverage().count(Coverage.Sort.WORKER, deed.name());
    }

    static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
