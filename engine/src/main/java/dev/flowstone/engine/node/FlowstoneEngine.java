package dev.flowstone.engine.node;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.dead.DeadLetterRounds;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.RemoteTasks;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.BundleFault;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An {@link EngineNode} with its threads: one for each owned shard, one for the leases, one for the outbox, one for rates, one
 * for dead letters.
 */
public final class FlowstoneEngine implements Engine {
    private static final System.Logger LOG = System.getLogger(FlowstoneEngine.class.getName());

    /** How long a stop may take beyond the grace. */
    private static final Duration LAST = Duration.ofSeconds(5);

    /** Of who waits for a time: the clock may be set meanwhile. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

    /** How long another node's setting may go unheard. */
    private static final Duration READ_SETTINGS = Duration.ofMillis(500);

    /** How often dead letters are looked at that are due. */
    private static final Duration RETRY_DEAD_LETTERS = Duration.ofSeconds(1);

    /** Few callers' runs are in one shard then, so that one commit takes a step of each; the next callers' in another. */
    private static final int STARTS_TOGETHER = 16;

    private final EngineConfig config;
    private final EngineNode node;
    private final boolean publishes;
    private final Wake leases;
    private final Wake outbox;
    private final List<Thread> shards = new CopyOnWriteArrayList<>();
    private final Thread keeper;
    private final Thread publisher;
    private final Wake settings;
    private final Thread reader;
    private final Wake limits;
    private final Thread opener;
    private final Wake deadLetters;
    private final Thread retrier;
    private final ReentrantLock stopLock = new ReentrantLock();
    private volatile boolean running = true;
    private boolean stopped;

    private FlowstoneEngine(EngineConfig config, EngineParts parts) {
        this.config = config;
        this.publishes = !parts.publishers().isEmpty();
        this.leases = new Wake();
        this.outbox = new Wake();
        this.settings = new Wake();
        this.limits = new Wake();
        this.deadLetters = new Wake();
        this.node = new EngineNode(config, parts, this::run, STARTS_TOGETHER, outbox::now, limits::now);
        this.keeper = thread("flowstone-leases", () -> keepLeases(parts));
        this.publisher = thread("flowstone-outbox", this::publish);
        this.reader = thread("flowstone-settings", this::readSettings);
        this.opener = thread("flowstone-limits", () -> openLimits(parts));
        this.retrier = thread("flowstone-dead-letters", this::retryDeadLetters);
    }

    /** Starts a node's engine; it acquires shards in the background, see {@link #ready}. */
    public static FlowstoneEngine start(EngineConfig config, EngineParts parts) {
        FlowstoneEngine engine = new FlowstoneEngine(config, parts);
        engine.keeper.start();
        engine.reader.start();
        if (engine.node.dispatcher().isPaced()) {
            engine.opener.start();
        }
        if (engine.publishes) {
            engine.publisher.start();
        }
        if (config.deadLetters().enabled()) {
            engine.retrier.start();
        }
        return engine;
    }

    private static Thread thread(String name, Runnable body) {
        return Thread.ofPlatform().name(name).daemon(true).unstarted(body);
    }

    private void run(ShardLoop loop) {
        Thread thread = thread("flowstone-shard-" + loop.lease().shard().id(), () -> steps(loop));
        shards.removeIf(old -> !old.isAlive() && old.getState() == Thread.State.TERMINATED);
        shards.add(thread);
        thread.start();
    }

    private void steps(ShardLoop loop) {
        try {
            while (loop.status() != ShardStatus.ENDED) {
                boolean more = loop.step();
                more |= loop.awaitResults();
                if (!more && loop.status() != ShardStatus.ENDED) {
                    loop.await();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            loop.end("its thread was interrupted");
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "the thread of shard " + loop.lease().shard().id() + " failed", e);
            loop.end("its thread failed: " + e);
        } finally {
            leases.now();
        }
    }

    private void keepLeases(EngineParts parts) {
        while (running && !Thread.currentThread().isInterrupted()) {
            Instant next;
            try {
                next = node.keepLeases();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "the leases can't be kept", e);
                next = parts.ports().clock().now().plusSeconds(1);
            }
            await(leases, parts, next);
        }
    }

    private static void await(Wake wake, EngineParts parts, Instant next) {
        Instant now = parts.ports().clock().now();
        wake.await(next.isBefore(now.plus(LONGEST_SLEEP)) ? Duration.between(now, next) : LONGEST_SLEEP);
    }

    private void openLimits(EngineParts parts) {
        while (running && !Thread.currentThread().isInterrupted()) {
            try {
                await(limits, parts, node.openLimits());
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "attempts can't begin that rates held back", e);
                limits.await(LONGEST_SLEEP);
            }
        }
    }

    private void readSettings() {
        while (running && !Thread.currentThread().isInterrupted()) {
            settings.await(READ_SETTINGS);
            if (!running) {
                return;
            }
            try {
                node.readSettings();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "settings of scopes can't be read", e);
            }
        }
    }

    private void retryDeadLetters() {
        while (running && !Thread.currentThread().isInterrupted()) {
            deadLetters.await(RETRY_DEAD_LETTERS);
            if (!running) {
                return;
            }
            try {
                int _ = node.retryDeadLetters();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "dead letters can't be tried again", e);
            }
        }
    }

    private void publish() {
        while (running && !Thread.currentThread().isInterrupted()) {
            try {
                if (node.publish() == 0) {
                    outbox.await(config.outbox().poll());
                }
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "the outbox failed", e);
                outbox.await(config.outbox().poll());
            }
        }
    }

    @Override
    public CompletableFuture<StartAnswer> start(StartRequest request) {
        return node.start(request);
    }

    @Override
    public CompletableFuture<StartAnswer> reset(ResetRequest request) {
        return node.reset(request);
    }

    @Override
    public CompletableFuture<CallAnswer> call(CallRequest request) {
        return node.call(request);
    }

    @Override
    public DeadLetterRounds deadLetters() {
        return node.deadLetters();
    }

    @Override
    public CompletableFuture<MendAnswer> mend(MendRequest request) {
        return node.mend(request);
    }

    @Override
    public RemoteTasks remoteTasks() {
        return node.remoteTasks();
    }

    @Override
    public ScopeControl control() {
        return node.control();
    }

    @Override
    public List<BundleFault> policyFaults(JsonObject bundle) {
        return node.policyFaults(bundle);
    }

    @Override
    public AutoCloseable onMoved(TenantId tenant, RunId run, Consumer<Long> listener) {
        return node.onMoved(tenant, run, listener);
    }

    @Override
    public Optional<Member> elsewhere(RunId run) {
        return node.elsewhere(run);
    }

    @Override
    public void lookAround() {
        node.lookSoon();
        leases.now();
    }

    @Override
    public List<Member> others() {
        return node.others();
    }

    @Override
    public List<Lease> leases() {
        return running ? node.leases() : List.of();
    }

    @Override
    public boolean ready() {
        return running && node.ready();
    }

    @Override
    public boolean reachesDatabase() {
        return node.reachesDatabase();
    }

    @Override
    public boolean begins() {
        return node.dispatcher().isOpen();
    }

    /** Programs by hash; tell it those that are published here, so that the first start needn't read them. */
    public Programs programs() {
        return node.programs();
    }

    /** How busy it is. */
    public NodeLoad load() {
        return node.load();
    }

    /** Whether this node has the runs of this slot. */
    public boolean owns(Slot slot) {
        return node.owns(slot);
    }

    /** Runs that can't go on, each with its reason. */
    public Map<RunKey, String> setAside() {
        return node.setAside();
    }

    @Override
    public void stop(Duration grace) {
        stop(grace, left -> {});
    }

    /**
     * The same, while others end who need the leases.
     *
     * @param others waits for them, for what it is told is left of the time that a stop may take; called before the leases are
     *     given back
     */
    public void stop(Duration grace, Consumer<Duration> others) {
        stopLock.lock();
        try {
            if (!stopped) {
                stopped = true;
                new OrderlyStop(node, shards, this::endThreads).run(grace, LAST, others);
            }
        } finally {
            stopLock.unlock();
        }
    }

    private void endThreads() {
        wakeToEnd();
        // It may be waiting for a connection to a database that is away, and nobody else gets to the leases meanwhile.
        keeper.interrupt();
    }

    /** Ends as if the process had died: nothing is given back, no lease released. For tests of what follows. */
    public void crash() {
        wakeToEnd();
        node.loops().forEach(loop -> loop.end("crashed"));
    }

    private void wakeToEnd() {
        running = false;
        leases.now();
        outbox.now();
        settings.now();
        limits.now();
        deadLetters.now();
    }

    /** Lets a thread sleep until it is time, or somebody says so. */
    private static final class Wake {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition woken = lock.newCondition();
        private boolean due;

        void now() {
            lock.lock();
            try {
                due = true;
                woken.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void await(Duration time) {
            lock.lock();
            try {
                long left = time.toNanos();
                while (!due && left > 0) {
                    left = woken.awaitNanos(left);
                }
                due = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }
    }
}
