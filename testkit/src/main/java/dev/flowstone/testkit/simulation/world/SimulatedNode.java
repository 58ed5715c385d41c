package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One machine: it has a name, a clock of its own, and most of the time a process that runs the production engine. What the
 * process knows dies with it.
 */
public final class SimulatedNode {
    private static final int MOST_ROUNDS = 10_000;

    /** Of a hundred processes so many lack the evaluator of one kind of policies. */
    private static final int LACKING = 50;

    private final World world;
    private final String name;
    private final VirtualClock clock;
    private final Strikes strikes;
    private final List<Running> running = new ArrayList<>();
    private final PostsUnderWay posts;
    private Duration skew = Duration.ZERO;
    private Duration gone = Duration.ZERO;
    private Instant downUntil = Instant.MIN;
    private Instant pausedUntil = Instant.MIN;
    private int incarnation;
    private Instant furthest = Instant.MIN;
    private @Nullable SteppedNode engine;
    private @Nullable Running begins;
    private Ledger.@Nullable Effect called;
    private Duration takes = Duration.ZERO;
    private boolean dies;
    private boolean givesBack;
    private boolean lacksEvaluator;
    private boolean healed;

    SimulatedNode(World world, int number) {
        this.world = world;
        this.name = "node-" + number;
        this.clock = new VirtualClock(world.now());
        this.strikes = new Strikes(world);
        this.posts = new PostsUnderWay(world, strikes);
    }

    public String name() {
        return name;
    }

    public Strikes strikes() {
        return strikes;
    }

    /** The process, if it is up. */
    public Optional<SteppedNode> engine() {
        return Optional.ofNullable(engine);
    }

    public boolean isUp() {
        return engine != null;
    }

    /** Whether it is up and gets the processor. */
    public boolean runs() {
        return engine != null && !world.now().isBefore(pausedUntil);
    }

    /** Which of its processes it is. */
    int incarnation() {
        return incarnation;
    }

    /** Its clock's time. */
    Instant clock() {
        return clock.now();
    }

    /** For how long its clock has gone on altogether, leaps ahead included, and back not taken off. */
    Duration gone() {
        return gone;
    }

    /** The latest time that its clock has shown to this process. */
    Instant furthest() {
        return furthest;
    }

    /** Gets no processor for a while: its peers may think that it is dead, and it doesn't know. */
    public void pause(Duration by) {
        pausedUntil = world.now().plus(by);
    }

    /** Its clock goes wrong by so much, from now on. */
    public void skew(Duration by) {
        skew = by;
        follow();
    }

    /** The world's time has moved. */
    void follow() {
        Instant before = clock.now();
        clock.set(world.now().plus(skew));
        Duration by = Duration.between(before, clock.now());
        gone = by.isNegative() ? gone : gone.plus(by);
        furthest = clock.now().isAfter(furthest) ? clock.now() : furthest;
    }

    /** Everything that the process knows is gone; after a while the machine starts another. */
    public void crash(Duration back) {
        engine = null;
        running.clear();
        posts.clear();
        downUntil = world.now().plus(back);
        world.say(() -> name + " dies");
    }

    private Set<Lease> leases() {
        return engine().stream()
                .flatMap(up -> up.node().loops().stream())
                .map(ShardLoop::lease)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether a handler of this process works on the attempt, and the loop that handed it out still lives: whoever calls it
     * lost is wrong.
     */
    boolean worksOn(RunKey run, ActivationId activation, int attempt) {
        Set<Lease> held = leases();
        return running.stream()
                .filter(one -> one.effect != null
                        && one.effect.run().equals(run)
                        && one.effect.activation().equals(activation)
                        && one.effect.attempt() == attempt)
                .flatMap(one -> one.leases.stream())
                .anyMatch(lease -> lease.shard().holds(run.run().slot()) && held.contains(lease));
    }

    void handlerCalled(Ledger.Effect effect, Duration time, boolean nodeDies) {
        if (begins != null) {
            begins.leases.stream()
                    .filter(lease -> lease.shard().holds(effect.run().run().slot()))
                    .max(Comparator.comparingLong(Lease::epoch))
                    .ifPresent(lease -> world.suspensions().begins(effect, lease));
        }
        called = effect;
        takes = time;
        dies = nodeDies;
    }

    /** StartRequests the process, if it is time to. */
    void boot() {
        if (engine != null || world.now().isBefore(downUntil)) {
            return;
        }
        incarnation++;
        furthest = clock.now();
        Ports database = world.database().ports();
        Ports ports = new Ports(
                new SimulatedJournal(world, strikes, world.tampering().journal(database)),
                new SimulatedLeases(strikes, world.epochs(), database.leases(), shard -> world.mayHave(this)),
                database.outbox(),
                letter -> strikes.letter(letter, database.inbox()),
                database.runs(),
                database.humanTasks(),
                database.feed(),
                new SimulatedPrograms(strikes, database.workflows()),
                clock,
                database.subjects(),
                new SimulatedTransactions(world, strikes, world.tampering().transactions(database)),
                new SimulatedSettings(world, strikes, world.tampering().settings(database)),
                new SimulatedPolicies(world, this, world.tampering().policies(database)));
        EngineConfig config = world.settings().engine(name, incarnation);
        EngineParts parts = new EngineParts(
                ports,
                World.EXPRESSIONS,
                new CronSchedules(),
                world.policies().evaluators(lacksEvaluator || lacksByChance()),
                world.handlers().registry(this),
                Map.of(),
                new Watching(),
                Tracer.NONE,
                Runnable::run,
                new Dice(world.seed(), name, incarnation).split(),
                world.rule(this));
        engine = new SteppedNode(clock, config, parts, _ -> this::take);
        lacksEvaluator = false;
        world.say(() -> name + " starts");
    }

    /** Many a process is set up without it from the beginning. */
    private boolean lacksByChance() {
        return !healed && new Dice(world.seed(), name, "evaluators", incarnation).percent(LACKING);
    }

    /** Its process ends, and the next one lacks the evaluator of one kind of policies; the one after that has it again. */
    public void lackEvaluator(Duration back) {
        crash(back);
        lacksEvaluator = true;
    }

    private void take(Runnable task) {
        if (!(task instanceof HandlerExecution execution)) {
            posts.post(task);
            return;
        }
        running.add(new Running(execution, leases(), world.now()));
        mustKeepLimits(execution.action());
    }

    /** Something of this action has begun. */
    void mustKeepLimits(HandlerName begun) {
        LimitRule.check(
                world,
                this,
                begun,
                running.stream().map(one -> one.execution.action()).toList());
    }

    /** One round of its leases and of every loop; whether there is more to do right away. */
    public boolean step() {
        boot();
        if (!runs()) {
            return false;
        }
        SteppedNode stepped = engine;
        boolean more = false;
        try {
            if (stepped != null) {
                more = stepped.stepLoops(this::answerClaims);
                look(stepped);
            }
        } catch (NodeDied e) {
            crash(Duration.ofSeconds(1));
        }
        return more;
    }

    /** Workers whose claims wait hear at once of what has come for them. */
    private void answerClaims() {
        world.workers().forEach(RemoteWorker::hear);
    }

    /** A process that dies in the middle of what it does. */
    public Error dying() {
        return new NodeDied();
    }

    private void look(SteppedNode stepped) {
        for (ShardLoop loop : stepped.node().loops()) {
            if (loop.status() == ShardStatus.ENDED && loop.endReason().startsWith("it failed")) {
                world.violate(new Violation(
                        "ENGINE", "shard " + loop.lease().shard().id() + " of " + name + ": " + loop.endReason()));
            }
        }
    }

    /** Stops in good order, gives back what it has, and starts again later. */
    public void restart(int rounds, Duration back) {
        SteppedNode stepped = engine;
        if (stepped == null) {
            return;
        }
        try {
            stepped.node().beginStop();
            for (int i = 0; i < rounds; i++) {
                stepped.stepLoops(this::answerClaims);
                work(0);
            }
            givesBack = true;
            stepped.node().giveBack();
            for (int i = 0; i < MOST_ROUNDS && stepped.stepLoops(); i++) {
                look(stepped);
            }
            stepped.node().release();
        } catch (NodeDied e) {
            world.say(() -> name + " dies while it stops");
        }
        givesBack = false;
        crash(back);
    }

    /** Whether it gives back right now what it has, as the last thing that it does or of a shard that goes to another. */
    boolean givesBack() {
        return givesBack
                || engine().stream().flatMap(up -> up.node().loops().stream()).anyMatch(ShardLoop::drains);
    }

    /** How many handlers are due. */
    private List<Running> due() {
        return running.stream().filter(one -> !one.due.isAfter(world.now())).toList();
    }

    /**
     * Lets one handler begin or end that is due, or one letter arrive.
     *
     * @param choice which one, if there are several
     */
    public boolean work(int choice) {
        boolean more = doWork(choice);
        answerClaims();
        return more;
    }

    private boolean doWork(int choice) {
        List<Running> due = runs() ? due() : List.of();
        if ((due.isEmpty() || choice % 2 == 1) && runs() && posts.deliver(choice / 2)) {
            return true;
        }
        if (due.isEmpty()) {
            return false;
        }
        Running one = due.get(Math.floorMod(choice, due.size()));
        if (one.called) {
            running.remove(one);
            one.execution.answer();
            return true;
        }
        takes = Duration.ZERO;
        dies = false;
        called = null;
        // One that has begun goes on, however often it has to be called.
        begins = one.begun ? null : one;
        one.begun = true;
        one.called = !one.execution.call();
        begins = null;
        one.effect = called;
        one.due = world.now().plus(one.called ? takes : HandlerExecution.PAUSE);
        if (dies) {
            crash(Duration.ofSeconds(1));
        }
        return true;
    }

    /** Whether handlers or letters are under way. */
    public boolean hasHandlers() {
        return !running.isEmpty() || !posts.isEmpty();
    }

    /** When it has something to do by itself, by the world's clock. */
    Instant next() {
        if (engine == null) {
            return downUntil;
        }
        Instant next = engine.nextWake();
        next = next.equals(Instant.MAX) || next.equals(Instant.MIN) ? next : next.minus(skew);
        for (Running one : running) {
            next = one.due.isBefore(next) ? one.due : next;
        }
        next = posts.next().isBefore(next) ? posts.next() : next;
        return next.isBefore(pausedUntil) ? pausedUntil : next;
    }

    /** Faults are over. */
    void heal() {
        strikes.disarm();
        lacksEvaluator = false;
        healed = true;
        skew(Duration.ZERO);
        pausedUntil = Instant.MIN;
        downUntil = Instant.MIN;
    }

    private final class Watching implements Observer {
        @Override
        public void setAside(RunKey run, String reason) {
            world.violate(new Violation("ENGINE", "run " + run.run() + " was set aside: " + reason));
        }
    }
}
