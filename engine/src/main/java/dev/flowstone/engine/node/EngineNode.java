package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.control.SettingWatch;
import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadLetterRounds;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.effect.OutboxPublisher;
import dev.flowstone.engine.effect.OutboxRounds;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.shard.CommandWork;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardParts;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.RemoteTasks;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.BundleFault;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A node's engine without its threads: which loops there are, and the doors into them. {@link FlowstoneEngine} gives it
 * threads; a simulator or a test steps it: {@link #keepLeases}, then each loop of {@link #loops}. Its doors are
 * thread-safe.
 */
public final class EngineNode {
    private static final System.Logger LOG = System.getLogger(EngineNode.class.getName());

    /** Of who is told that something is busy. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final EngineParts parts;
    private final TaskDispatcher dispatcher;
    private final Programs programs;
    private final Listeners listeners = new Listeners();
    private final StartDoor starts;
    private final Mends mends;
    private final ShardParts shardParts;
    private final ScopeControl control;
    private final OwnedShards owned;
    private final OutboxRounds outbox;
    private final DeadLetterRounds deadLetters;
    private final Loops loops;

    /** A node whose loops are stepped by whoever made it. */
    public EngineNode(EngineConfig config, EngineParts parts) {
        this(config, parts, loop -> {}, 1, () -> {}, () -> {});
    }

    /**
     * One with threads.
     *
     * @param together starts that go to one loop before it is the next one's turn
     * @param publishSoon is told that {@link #publish} has something to do
     * @param openSooner is told that {@link #openLimits} is to be called earlier than it said
     */
    EngineNode(
            EngineConfig config,
            EngineParts parts,
            LoopRunner runner,
            int together,
            Runnable publishSoon,
            Runnable openSooner) {
        this.parts = requireNonNull(parts);
        this.loops = new Loops(together);
        this.programs = new Programs(parts.ports().workflows(), config.programs());
        this.dispatcher = new TaskDispatcher(
                parts.handlers(),
                new PayloadReader(parts.ports().journal()),
                parts.ports().transactions(),
                parts.ports().runs(),
                parts.ports().outbox()::knows,
                config.task(),
                config.classes(),
                parts.ports().clock(),
                parts.observer(),
                parts.tracer(),
                parts.executor(),
                openSooner);
        SettingWatch settings = new SettingWatch(parts.ports().settings());
        this.control = new ScopeControl(
                parts.ports().settings(), settings, () -> loops.all().forEach(ShardLoop::news));
        LetterPost post = new LetterPost(loops, parts);
        DeadLetterBox dead = new DeadLetterBox(parts.ports().deadLetters(), config.deadLetters(), parts.executor());
        this.shardParts = new ShardParts(
                config.shard(),
                config.quotas(),
                parts.ports().journal(),
                programs,
                parts.ports().workflows(),
                parts.ports().policies(),
                parts.ports().transactions(),
                settings,
                parts.ports().projections(),
                dead,
                dispatcher,
                new Env(
                        parts.expressions(),
                        parts.schedules(),
                        parts.policies(),
                        Map.of(),
                        JsonObject.EMPTY,
                        config.bounds()),
                parts.rule(),
                parts.ports().clock(),
                listeners,
                parts.observer(),
                parts.tracer(),
                this::deliver,
                post::send,
                publishSoon);
        this.owned = new OwnedShards(config, parts, shardParts, loops, post, requireNonNull(runner));
        this.starts = new StartDoor(
                new Starts(parts.ports().clock(), config),
                new Resets(parts.ports().runs(), programs, parts.ports().clock(), RETRY_AFTER),
                owned,
                loops,
                dispatcher,
                config.classes(),
                parts);
        this.mends = new Mends(
                new Rebuilds(parts.ports().runs(), parts.ports().projections(), programs, RETRY_AFTER),
                owned,
                loops,
                dead,
                parts.executor());
        this.deadLetters = new DeadLetterRounds(parts.ports().deadLetters(), config.deadLetters(), parts.executor());
        deadLetters.retry(DeadSource.MESSAGE, new MessageRetrier(parts.ports(), parts.executor()));
        deadLetters.retry(
                DeadSource.EXECUTION,
                RunRetrier.of(
                        mends::takeUp,
                        () -> loops.setAside().keySet(),
                        parts.ports().deadLetters(),
                        config.deadLetters(),
                        parts.executor()));
        this.outbox = new OutboxRounds(new OutboxPublisher(
                parts.ports().outbox(),
                parts.publishers(),
                config.outbox(),
                settings::log,
                parts.ports().clock(),
                parts.random().split(),
                parts.executor(),
                parts.observer(),
                parts.tracer(),
                publishSoon));
    }

    /** Runs a loop that was just born. */
    @FunctionalInterface
    interface LoopRunner {
        void run(ShardLoop loop);
    }

    /** Programs by hash; tell it those that are published here. */
    public Programs programs() {
        return programs;
    }

    /** See {@link dev.flowstone.engine.Engine#control}. */
    public ScopeControl control() {
        return control;
    }

    /** See {@link dev.flowstone.engine.Engine#remoteTasks}. */
    public RemoteTasks remoteTasks() {
        return dispatcher.remote();
    }

    /** See {@link dev.flowstone.engine.Engine#policyFaults}. */
    public List<BundleFault> policyFaults(JsonObject bundle) {
        return shardParts.env().policies().faults(bundle, shardParts.env().expressions());
    }

    /** Reads what was set for scopes by other nodes; to be called every half second or so. */
    public void readSettings() {
        try {
            control.refresh();
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "settings of scopes can't be read now: " + e.getMessage());
        }
    }

    TaskDispatcher dispatcher() {
        return dispatcher;
    }

    /** The living loops, by shard. */
    public Collection<ShardLoop> loops() {
        return loops.all();
    }

    /**
     * Acquires and renews leases; loops are born of it, and buried. What silent workers hold is given up.
     *
     * @return when to call it again at the latest
     */
    public Instant keepLeases() {
        dispatcher.remote().expire();
        return owned.keep();
    }

    /**
     * Lets attempts begin that rates held back.
     *
     * @return when to call it again; the end of time if nothing waits for that
     */
    public Instant openLimits() {
        return dispatcher.open();
    }

    /**
     * Records which deliveries of the outbox have ended, and begins those that are due.
     *
     * @return how many were begun
     */
    public int publish() {
        if (parts.publishers().isEmpty()) {
            return 0;
        }
        outbox.keep(
                loops.all().stream().map(loop -> loop.lease().shard().id()).collect(Collectors.toUnmodifiableSet()));
        return outbox.round(loops.all().stream()
                .filter(ShardLoop::isReady)
                .map(ShardLoop::lease)
                .toList());
    }

    /**
     * Tries dead letters of this node's shards again that are due; to be called every second or so.
     *
     * @return how many
     */
    public int retryDeadLetters() {
        try {
            return deadLetters.round(loops.all().stream()
                    .filter(loop -> loop.isReady() && loop.isReachable())
                    .map(loop -> loop.lease().shard())
                    .toList());
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "dead letters can't be tried again now: " + e.getMessage());
            return 0;
        }
    }

    /** See {@link dev.flowstone.engine.Engine#deadLetters}. */
    public DeadLetterRounds deadLetters() {
        return deadLetters;
    }

    /** See {@link dev.flowstone.engine.Engine#start}. */
    public CompletableFuture<StartAnswer> start(StartRequest request) {
        return starts.start(request);
    }

    /** See {@link dev.flowstone.engine.Engine#reset}. */
    public CompletableFuture<StartAnswer> reset(ResetRequest request) {
        return starts.reset(request);
    }

    /** See {@link dev.flowstone.engine.Engine#call}. */
    public CompletableFuture<CallAnswer> call(CallRequest request) {
        if (request.command() instanceof ControlCommand.StartFrom) {
            // The state that it carries would be the caller's word: a reset folds it from the other run's events.
            return CompletableFuture.completedFuture(
                    new CallAnswer.Refused("INVALID_COMMAND", "a run begins at another's past by a reset"));
        }
        CompletableFuture<CallAnswer> answer = new CompletableFuture<>();
        CommandWork work =
                CommandWork.call(request, answer, parts.ports().clock().now());
        work.from(parts.tracer().here());
        if (request.command() instanceof Command.CompleteTask complete) {
            work.in(dispatcher.remote().workClass(request.run(), complete.activation()));
        }
        ShardLoop loop = loops.owner(request.run().run().slot());
        if (owned.isStopping()) {
            work.busy("the node is stopping", RETRY_AFTER);
        } else if (loop == null) {
            answer.complete(new CallAnswer.Busy(
                    "no shard of this node has this run now",
                    RETRY_AFTER,
                    owned.elsewhere(Optional.of(request.run().run().slot()))));
        } else if (!loop.isReachable()) {
            // It would wait for as long as the database is away, and its caller with it.
            work.busy("the database does not answer", RETRY_AFTER);
        } else if (!loop.offer(work)) {
            work.busy("too much is asked of this run's shard", RETRY_AFTER);
        }
        return answer;
    }

    /** See {@link dev.flowstone.engine.Engine#mend}. */
    public CompletableFuture<MendAnswer> mend(MendRequest request) {
        return mends.mend(request);
    }

    /** A handler's result goes to whichever loop owns its run by now; if none does, its attempt counts as lost. */
    private void deliver(CommandWork result) {
        ShardLoop loop = loops.owner(result.run().run().slot());
        if (loop != null) {
            loop.add(result);
        }
    }

    /** See {@link dev.flowstone.engine.Engine#onMoved}. */
    public AutoCloseable onMoved(TenantId tenant, RunId run, Consumer<Long> listener) {
        return listeners.add(new RunKey(tenant, run), listener);
    }

    /** See {@link dev.flowstone.engine.Engine#leases}. Thread-safe. */
    public List<Lease> leases() {
        return loops.all().stream()
                .filter(ShardLoop::isReady)
                .map(ShardLoop::lease)
                .toList();
    }

    /** Whether it owns shards, and each takes commands; or others own them all, and it stands by. */
    public boolean ready() {
        return !owned.isStopping() && (loops.ready() || owned.standsBy());
    }

    /** Whether the database answered when it was last asked, for leases or by a shard. Thread-safe. */
    public boolean reachesDatabase() {
        return owned.reaches() && loops.all().stream().allMatch(ShardLoop::isReachable);
    }

    /** Whether it answered when it was last asked for leases, whatever becomes of a shard's commits. */
    boolean reachesLeases() {
        return owned.reaches();
    }

    /** Runs that can't go on, each with its reason. */
    public Map<RunKey, String> setAside() {
        return loops.setAside();
    }

    /** Who has this run's shard, as this node saw last, if it isn't this one: it can be asked there. Thread-safe. */
    public Optional<Member> elsewhere(RunId run) {
        return loops.owner(run.slot()) == null ? owned.elsewhere(Optional.of(run.slot())) : Optional.empty();
    }

    /** Whether this node has the runs of this slot. Thread-safe. */
    public boolean owns(Slot slot) {
        return loops.owner(slot) != null;
    }

    /** Another node isn't what it was taken for: the next {@link #keepLeases} looks again. Thread-safe. */
    public void lookSoon() {
        owned.lookSoon();
    }

    /** The other nodes that have shards. Thread-safe. */
    public List<Member> others() {
        return owned.others();
    }

    /** How busy it is. */
    public NodeLoad load() {
        return new NodeLoad(
                loops.all().stream()
                        .map(ShardLoop::load)
                        .sorted((a, b) -> a.shard().compareTo(b.shard()))
                        .toList(),
                dispatcher.load());
    }

    /** First step of a stop in good order: no more starts, no more attempts; handlers go on. */
    public void beginStop() {
        owned.stop();
        dispatcher.stop();
    }

    /** Second step: interrupts handlers and gives their attempts back; the loops end when that is durable. */
    public void giveBack() {
        loops.all().forEach(ShardLoop::giveBack);
    }

    /** Third step: ends what is left, as it is. */
    void end() {
        owned.end();
    }

    /** The same, and gives the leases back. */
    public void release() {
        owned.release();
    }
}
