package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.time.DatabaseTime;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * One shard's loop, without its thread. {@link #step} does one round: gather, load, decide, commit, settle. It never
 * sleeps; when there is nothing to do it says so, and {@link #wakeAt} says until when. All but the methods marked so are
 * for the one thread that steps it.
 */
public final class ShardLoop {
    private static final System.Logger LOG = System.getLogger(ShardLoop.class.getName());

    /** What may wait for a run in a transaction, beside what the engine asks of itself. */
    private static final int HELD_PER_RUN = 1_000;

    private static final String CHANGES_HANDS = "the shard changes hands";
    private static final Duration LONGEST_DECISIONS = Duration.ofSeconds(30);

    private final Lease lease;
    private final ShardParts parts;
    private final ShardQueue queue;
    private final DatabaseTime time;
    private final DatabaseReach reach;
    private final StateCache cache;
    private final PayloadCache payloads;
    private final Quarantine quarantine;
    private final ShardTimers timers;
    private final InboxReader inbox;
    private final Recovery recovery;
    private final Mail mail;
    private final Tasks tasks;
    private final CheckOuts checkOuts;
    private final WideHolds holds;
    private final Reloads reloads;
    private final Intake intake;
    private final Rounds rounds;
    private final Patience patience = new Patience();

    /** To be decided again, before anything else. */
    private final ArrayDeque<Work> redo = new ArrayDeque<>();

    /** What the shard asks of itself: continuations, timeouts, lost attempts. */
    private final ArrayDeque<Work> local = new ArrayDeque<>();

    private final LeaseEnd leaseEnd;
    private volatile ShardStatus phase = ShardStatus.RECOVERING;
    private volatile boolean taken;
    private final Departure departure;

    /** Held by whoever steps it. */
    private final ReentrantLock stepping = new ReentrantLock();

    /** Of the first timer that no round has taken, in database time. */
    private volatile Instant timerDue = Instant.MAX;

    private volatile boolean ended;
    private volatile String endReason = "";

    /**
     * The loop of a shard that was just won.
     *
     * @param leaseUntil when to stop at the latest, by this machine's clock
     * @param databaseTime what the database's clock said when it granted the lease
     */
    public ShardLoop(Lease lease, Instant leaseUntil, Instant databaseTime, ShardParts parts, RandomGenerator random) {
        ShardConfig config = parts.config();
        this.lease = lease;
        this.leaseEnd = new LeaseEnd(parts.clock(), leaseUntil);
        this.parts = parts;
        this.queue = new ShardQueue(config.startQueue(), parts.quotas()::weight);
        this.time = new DatabaseTime(parts.clock());
        time.correct(databaseTime);
        this.reach = new DatabaseReach(config, random);
        this.cache = new StateCache(config.cacheBytes());
        this.payloads = new PayloadCache(parts.journal(), config.payloadBytes());
        this.quarantine = new Quarantine(parts.observer(), parts.dead());
        this.timers = new ShardTimers(parts.journal(), lease.shard().id(), config);
        this.inbox = new InboxReader(
                parts.journal(), lease, config, parts.dispatcher().outcomes());
        this.checkOuts = new CheckOuts(HELD_PER_RUN);
        this.tasks = new Tasks(
                parts.dispatcher(), parts.settings(), parts.clock(), parts.results(), lease, checkOuts, inbox, redo);
        this.departure = new Departure(queue, tasks, local);
        this.holds = new WideHolds(lease, parts, tasks, local);
        this.reloads = new Reloads(lease, parts, time, cache, quarantine, tasks, local);
        this.mail = new Mail(parts.journal(), lease.shard().id(), parts.post(), queue::signal);
        this.recovery = new Recovery(lease, parts, cache, quarantine, tasks, local);
        this.intake = new Intake(
                config,
                lease.shard(),
                queue,
                timers,
                inbox,
                parts.dead(),
                time,
                random,
                parts.observer(),
                tasks,
                redo,
                local);
        this.rounds = new Rounds(
                lease.shard().id(),
                parts,
                cache,
                new Loader(
                        parts.journal(),
                        lease.shard().id(),
                        parts.programs(),
                        cache,
                        quarantine,
                        parts.dead(),
                        parts.clock()),
                new Decider(
                        parts.env(),
                        new FactReader(payloads, parts.workflows(), parts.policies()),
                        time,
                        random,
                        config,
                        parts.rule(),
                        holds::log,
                        new Posts(parts.dispatcher().handlers(), payloads)),
                new Committer(parts.journal(), lease, time),
                new Settler(lease.shard().id(), parts, cache, timers, tasks, inbox, mail, quarantine, local),
                mail,
                redo);
    }

    /** Leaves a start for the loop; false if there is no room. Thread-safe. */
    public boolean offer(StartWork start) {
        return !ended && !leaseEnd.isOver() && queue.offer(start);
    }

    /** Leaves a call from outside for the loop; false if there is no room. Thread-safe. */
    public boolean offer(CommandWork call) {
        return !ended && !leaseEnd.isOver() && queue.offer(call);
    }

    /** Whether the database answered when it was last asked. Thread-safe. */
    public boolean isReachable() {
        return reach.isReachable();
    }

    /** Leaves a result or a letter for the loop. Thread-safe. */
    public void add(CommandWork result) {
        queue.add(result);
    }

    /** Leaves a run that is to be taken up again; false if there is no room. Thread-safe. */
    public boolean offer(Reload reload) {
        boolean taken = !ended && !leaseEnd.isOver() && reloads.offer(reload);
        queue.signal();
        if (ended) {
            reloads.close(CHANGES_HANDS);
        }
        return taken;
    }

    /** Something may have been set for scopes. Thread-safe. */
    public void news() {
        queue.signal();
    }

    /** The lease was renewed. Thread-safe. */
    public void extend(Instant until) {
        leaseEnd.extend(until);
        queue.signal();
    }

    /**
     * Whether it has been deciding one batch for so long that something is wrong: an endless loop, or a machine that is
     * overwhelmed. Its decisions are bounded by counted steps, so that this never is what a workflow has done (R3); what
     * is read for them doesn't count, so that it never is what the database does. Thread-safe.
     */
    public boolean hangs() {
        return rounds.isDecidingFor(LONGEST_DECISIONS);
    }

    /** Another node has the shard: the next step ends. Thread-safe. */
    public void lose() {
        taken = true;
        queue.signal();
    }

    /**
     * Hands out no more attempts, and ends once handlers have ended; what still runs after this time is interrupted and given
     * back. Takes commands until then. Thread-safe.
     */
    public void drain(Duration within) {
        departure.drain(within);
    }

    /** Whether it drains, so that what is left here is not begun before another node has the shard. Thread-safe. */
    public boolean drains() {
        return departure.drains();
    }

    /** Takes no more starts, hands out no more attempts. Thread-safe. */
    public void stop() {
        departure.stop("the node is stopping");
    }

    /** After {@link #stop}: interrupts what still runs, gives it back, and ends. Thread-safe. */
    public void giveBack() {
        departure.giveBack();
    }

    /** Thread-safe. */
    public ShardStatus status() {
        return ended ? ShardStatus.ENDED : phase;
    }

    /** Whether it takes commands and reached the database lately. Thread-safe. */
    public boolean isReady() {
        return status() == ShardStatus.RUNNING && reach.isReachable() && !leaseEnd.isOver();
    }

    /** Thread-safe. */
    public Lease lease() {
        return lease;
    }

    /** Why it ended. Thread-safe. */
    public String endReason() {
        return endReason;
    }

    /** Runs that were set aside, with the reason. Thread-safe. */
    public Map<RunKey, String> setAside() {
        return quarantine.reasons();
    }

    /** Thread-safe. */
    public ShardLoad load() {
        ShardQueue.Waiting waiting = queue.look();
        Instant now = parts.clock().now();
        Duration ahead = time.ahead();
        Duration late = Duration.between(timerDue, now.minus(ahead));
        return new ShardLoad(
                lease.shard().id(),
                status(),
                isReady(),
                waiting.starts,
                waiting.calls,
                waiting.results,
                parts.config().startQueue(),
                quarantine.reasons().size(),
                waiting.tenants,
                waiting.since,
                timerDue.equals(Instant.MAX) || late.isNegative() ? Duration.ZERO : late,
                ahead);
    }

    /**
     * Does one round.
     *
     * @return whether there is more to do right away
     */
    public boolean step() {
        stepping.lock();
        try {
            return !ended && round() && !ended;
        } finally {
            stepping.unlock();
            bury();
        }
    }

    private boolean round() {
        Instant now = parts.clock().now();
        if (taken) {
            end("another node took it over");
            return false;
        }
        if (leaseEnd.isOver(now) || reach.waits(now)) {
            return false;
        }
        if (departure.obey(now)) {
            phase = ShardStatus.STOPPING;
        }
        if (departure.isOverdue(now)) {
            end("its last commits took too long");
            return false;
        }
        try {
            try {
                work();
            } finally {
                tasks.start();
            }
            reach.worked(now);
            return hasMore();
        } catch (JournalException.StaleEpoch e) {
            end(String.valueOf(e.getMessage()));
            return false;
        } catch (JournalException e) {
            unreachable(e);
            return false;
        } catch (RuntimeException | StackOverflowError e) {
            LOG.log(Level.ERROR, "shard " + lease.shard().id() + " starts afresh", e);
            end("it failed: " + e);
            return false;
        }
    }

    private void work() throws JournalException {
        if (rounds.mustVerify()) {
            rounds.verify();
        }
        if (leaseEnd.hadLapsed()) {
            // Meanwhile nobody waited for this shard to heed what was set.
            holds.readAgain();
        }
        holds.step();
        if (phase == ShardStatus.RUNNING) {
            reloads.step();
        }
        Batch batch = gather();
        mail.step(parts.clock().now());
        if (!batch.isEmpty() || mail.mustForget(parts.clock().now())) {
            rounds.decide(batch);
            reach.reached();
        } else if (!reach.isReachable()) {
            probe();
        } else if (departure.gaveBack() && tasks.open() == 0 && queue.isEmpty() && redo.isEmpty()) {
            end("stopped");
        }
    }

    /** Nothing is to be committed, but callers want to know whether something could be. */
    private void probe() throws JournalException {
        time.correct(
                parts.journal().commit(new Commit(lease, List.of(), List.of())).databaseTime());
        reach.reached();
    }

    private Batch gather() throws JournalException {
        if (phase == ShardStatus.STOPPING) {
            local.removeIf(work -> work instanceof CommandWork command && command.canWait());
            return intake.stopping();
        }
        if (phase == ShardStatus.RECOVERING) {
            if (redo.isEmpty() && local.isEmpty() && !recovery.page() && !mail.recover()) {
                phase = ShardStatus.RUNNING;
            }
            return intake.recovering();
        }
        tasks.expire(local);
        timers.refill(time.now());
        holds.wake();
        Batch batch = intake.running();
        timerDue = timers.firstDue();
        return batch;
    }

    private void unreachable(JournalException e) {
        Duration pause = reach.lost(parts.clock().now());
        LOG.log(
                Level.DEBUG,
                () -> "shard " + lease.shard().id() + " pauses for " + pause.toMillis() + " ms: " + e.getMessage());
    }

    /** The next step looks at the inbox, however long ago it did: for whoever steps it and knows that something lies there. */
    public void lookAtInbox() {
        inbox.hurry();
    }

    /**
     * Whether others have left something that the next step takes: what an await would return for. False while it may
     * not take anything.
     */
    public boolean isCalled() {
        Instant now = parts.clock().now();
        boolean takes = !ended && !leaseEnd.isOver(now) && !reach.waits(now);
        return takes
                && (holds.isCalled()
                        || mail.isCalled()
                        || (phase == ShardStatus.RUNNING && !(queue.isEmpty() && reloads.isEmpty())));
    }

    private boolean hasMore() {
        return !redo.isEmpty()
                || !local.isEmpty()
                || rounds.mustVerify()
                || holds.isCalled()
                || (phase == ShardStatus.RUNNING && !reloads.isEmpty())
                || !queue.isEmpty()
                || intake.hasMore()
                || mail.hasMore(parts.clock().now())
                || phase == ShardStatus.RECOVERING
                || (phase == ShardStatus.STOPPING && tasks.expects())
                || (departure.gaveBack() && tasks.open() == 0)
                || departure.mayStop(parts.clock().now())
                || !reach.isReachable()
                || (phase == ShardStatus.RUNNING
                        && (holds.hasMore() || timers.reading() || !time.now().isBefore(timers.next())));
    }

    /** When to step again at the latest, by this machine's clock, if nothing arrives before. */
    public Instant wakeAt() {
        Instant now = parts.clock().now();
        if (leaseEnd.isOver(now)) {
            return Instant.MAX;
        }
        if (reach.waits(now)) {
            return reach.notBefore();
        }
        Instant wake = reach.isReachable() ? earlier(leaseEnd.until(), earlier(tasks.next(), mail.next())) : now;
        wake = earlier(wake, departure.next());
        if (phase == ShardStatus.RUNNING) {
            wake = earlier(wake, local(timers.next()));
            wake = earlier(wake, local(inbox.next()));
        }
        return wake;
    }

    private Instant local(Instant databaseTime) {
        boolean bound = databaseTime.equals(Instant.MAX) || databaseTime.equals(Instant.MIN);
        return bound ? databaseTime : time.local(databaseTime);
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /**
     * Waits, in real time, a moment for handlers that the last step has started; for the thread that steps this loop.
     *
     * @return whether to step again right away
     */
    public boolean awaitResults() throws InterruptedException {
        Instant now = parts.clock().now();
        boolean takes = !ended && !leaseEnd.isOver(now) && !reach.waits(now);
        boolean idle = redo.isEmpty() && local.isEmpty() && !intake.hasMore() && !mail.hasMore(now);
        return takes && idle && patience.await(tasks.started(), queue::await);
    }

    /** Waits, in real time, until there is something to do; for the thread that steps this loop. */
    public void await() throws InterruptedException {
        Instant now = parts.clock().now();
        Duration left = Duration.between(now, earlier(wakeAt(), now.plusSeconds(1)));
        if (leaseEnd.isOver(now) || reach.waits(now)) {
            queue.pause(left.toNanos());
        } else if (left.isPositive()) {
            queue.await(1, left.toNanos());
        }
    }

    /**
     * Ends at once: answers nothing but "busy", gives nothing back, drops every state. Thread-safe: a step that is under
     * way is the last one; what it commits is still answered, and nothing of it is handed out that has not been already.
     */
    public void end(String reason) {
        if (ended) {
            return;
        }
        endReason = reason;
        ended = true;
        LOG.log(Level.INFO, "shard " + lease.shard().id() + " at epoch " + lease.epoch() + " ends: " + reason);
        tasks.close();
        Work.busy(queue.close(), CHANGES_HANDS);
        reloads.close(CHANGES_HANDS);
        queue.signal();
        bury();
    }

    /** Lets go of everything, once it has ended and nobody steps it; else whoever steps it does that afterwards. */
    private void bury() {
        if (!ended || !stepping.tryLock()) {
            return;
        }
        try {
            tasks.abandonAll();
            Work.busy(rounds.unsettled(), CHANGES_HANDS);
            Work.busy(redo, CHANGES_HANDS);
            Work.busy(local, CHANGES_HANDS);
            Work.busy(checkOuts.held(), CHANGES_HANDS);
            redo.clear();
            local.clear();
            checkOuts.clear();
            cache.clear();
            payloads.clear();
        } finally {
            stepping.unlock();
        }
    }
}
