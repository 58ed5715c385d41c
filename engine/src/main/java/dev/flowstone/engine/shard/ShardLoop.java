package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.time.DatabaseTime;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Attempt;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One shard's loop, without its thread. {@link #step} does one round: gather, load, decide, commit, settle. It never
 * sleeps; when there is nothing to do it says so, and {@link #wakeAt} says until when. All but the methods marked so are
 * for the one thread that steps it.
 */
public final class ShardLoop {
    private static final System.Logger LOG = System.getLogger(ShardLoop.class.getName());
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Lease lease;
    private final ShardParts parts;
    private final ShardQueue queue;
    private final DatabaseTime time;
    private final Backoff backoff;
    private final StateCache cache;
    private final Quarantine quarantine = new Quarantine();
    private final ShardTimers timers;
    private final InboxReader inbox;
    private final Recovery recovery;
    private final Tasks tasks;
    private final Intake intake;
    private final Loader loader;
    private final Decider decider;
    private final Moves moves;
    private final Committer committer;
    private final Settler settler;

    /** To be decided again, before anything else. */
    private final ArrayDeque<Work> redo = new ArrayDeque<>();

    /** What the shard asks of itself: continuations, timeouts, lost attempts. */
    private final ArrayDeque<Work> local = new ArrayDeque<>();

    /** Turns of a commit whose outcome nobody knows; nothing else happens before it is known. */
    private List<Turn> unknown = List.of();

    private List<Work> inHand = List.of();
    private Instant notBefore = Instant.MIN;
    private volatile Instant leaseUntil;
    private volatile ShardStatus status = ShardStatus.RECOVERING;
    private volatile boolean reachable = true;
    private volatile boolean stopAsked;
    private volatile boolean giveBackAsked;
    private boolean gaveBack;
    private volatile String endReason = "";

    public ShardLoop(Lease lease, Instant leaseUntil, ShardParts parts, RandomGenerator random) {
        ShardConfig config = parts.config();
        this.lease = lease;
        this.leaseUntil = leaseUntil;
        this.parts = parts;
        this.queue = new ShardQueue(config.startQueue());
        this.time = new DatabaseTime(parts.clock());
        this.backoff = new Backoff(config.retryBase(), config.retryCap(), random);
        this.cache = new StateCache(config.cacheBytes());
        this.timers = new ShardTimers(parts.journal(), lease.shard().id(), config);
        this.inbox = new InboxReader(
                parts.journal(), lease, config, parts.dispatcher().outcomes());
        this.recovery = new Recovery(parts.journal(), lease.shard().id(), config);
        this.tasks = new Tasks(parts.dispatcher(), parts.clock(), parts.results());
        this.intake =
                new Intake(config, lease.shard(), queue, timers, inbox, time, random, parts.observer(), redo, local);
        this.loader = new Loader(parts.journal(), lease.shard().id(), parts.programs(), cache, quarantine);
        this.decider = new Decider(parts.env(), new PayloadReader(parts.journal()), time, random, config);
        this.moves = new Moves(config);
        this.committer = new Committer(parts.journal(), lease, time);
        this.settler = new Settler(lease.shard().id(), parts, cache, timers, tasks, inbox, quarantine, local);
    }

    /** Leaves a start for the loop; false if there is no room. Thread-safe. */
    public boolean offer(StartWork start) {
        return status != ShardStatus.ENDED && queue.offer(start);
    }

    /** Leaves a result for the loop. Thread-safe. */
    public void add(CommandWork result) {
        queue.add(result);
    }

    /** The lease was renewed. Thread-safe. */
    public void extend(Instant until) {
        leaseUntil = until;
    }

    /** Takes no more starts, hands out no more attempts. Thread-safe. */
    public void stop() {
        stopAsked = true;
        busy(queue.closeStarts(), "the node is stopping");
        queue.signal();
    }

    /** After {@link #stop}: interrupts what still runs, gives it back, and ends. Thread-safe. */
    public void giveBack() {
        giveBackAsked = true;
        queue.signal();
    }

    /** Thread-safe. */
    public ShardStatus status() {
        return status;
    }

    /** Whether it takes commands and reached the database lately. Thread-safe. */
    public boolean isReady() {
        return status == ShardStatus.RUNNING && reachable;
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

    /**
     * Does one round.
     *
     * @return whether there is more to do right away
     */
    public boolean step() {
        if (status == ShardStatus.ENDED) {
            return false;
        }
        Instant now = parts.clock().now();
        if (!now.isBefore(leaseUntil)) {
            end("its lease ran out");
            return false;
        }
        if (now.isBefore(notBefore)) {
            return false;
        }
        obey();
        try {
            round();
            if (reachable && notBefore.isBefore(now)) {
                backoff.reset();
            }
            return status != ShardStatus.ENDED && hasMore();
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

    private void obey() {
        if (stopAsked && status != ShardStatus.STOPPING) {
            status = ShardStatus.STOPPING;
            tasks.stopDispatching();
        }
        if (giveBackAsked && !gaveBack) {
            gaveBack = true;
            tasks.giveBack(local);
        }
    }

    private void round() throws JournalException {
        if (!unknown.isEmpty()) {
            verify();
        }
        Batch batch = gather();
        if (!batch.isEmpty()) {
            process(batch);
        } else if (gaveBack && tasks.open() == 0 && queue.isEmpty() && redo.isEmpty()) {
            end("stopped");
        }
    }

    private Batch gather() throws JournalException {
        if (status == ShardStatus.STOPPING) {
            local.removeIf(work -> work instanceof CommandWork command && command.isContinuation());
            return intake.stopping();
        }
        if (status == ShardStatus.RECOVERING) {
            recover();
            return intake.recovering();
        }
        tasks.expire(local);
        timers.refill(time.now());
        return intake.running();
    }

    private void recover() throws JournalException {
        if (!redo.isEmpty() || !local.isEmpty()) {
            return;
        }
        Map<RunKey, StoredRun> page = recovery.page();
        if (recovery.isOver()) {
            status = ShardStatus.RUNNING;
            return;
        }
        for (StoredRun stored : page.values()) {
            recover(stored);
        }
    }

    private void recover(StoredRun stored) throws JournalException {
        CachedRun run;
        try {
            Optional<Program> program = parts.programs().find(stored.key().tenant(), stored.program());
            if (program.isEmpty()) {
                throw new CorruptRunException("its program " + stored.program() + " isn't in the store");
            }
            run = RunRebuild.of(stored, program.get());
        } catch (CorruptRunException | IllegalStateException e) {
            quarantine.add(stored.key(), String.valueOf(e.getMessage()));
            parts.observer().setAside(stored.key(), String.valueOf(e.getMessage()));
            return;
        }
        cache.put(stored.key(), run);
        for (Attempt attempt : run.state().openAttempts()) {
            if (attempt.returned()) {
                tasks.dispatch(stored.key(), run.state(), attempt, local);
            } else {
                tasks.lost(stored.key(), attempt, local);
            }
        }
        if (run.state().continues()) {
            local.add(CommandWork.continuation(stored.key(), parts.clock().now()));
        }
    }

    private void process(Batch batch) throws JournalException {
        inHand = batch.works();
        List<Turn> turns;
        try {
            loader.load(batch, state -> settler.reconcile(state, new RunKey(state.tenant(), state.run())));
            turns = sorted(batch.turns());
            decider.decide(turns);
        } catch (JournalException e) {
            batch.turns().forEach(settler::release);
            again(batch.works());
            redo.addAll(batch.postponed());
            inHand = List.of();
            throw e;
        }
        redo.addAll(batch.postponed());
        List<Work> apart = new ArrayList<>(0);
        prepare(turns, apart);
        Committer.Result result = committer.commit(turns);
        conclude(result, apart);
        inHand = List.of();
        parts.observer().round(lease.shard().id(), batch.size(), result.stored.size());
        if (!result.untried.isEmpty() || !result.unknown.isEmpty()) {
            throw new JournalException.Unavailable("the batch waits");
        }
        reachable = true;
    }

    /** Makes the moves; a turn of which none can be made is taken apart. */
    private void prepare(List<Turn> turns, List<Work> apart) {
        turns.removeIf(turn -> {
            try {
                turn.move = turn.entries.isEmpty() ? null : moves.of(turn);
                return false;
            } catch (RuntimeException | StackOverflowError e) {
                LOG.log(Level.ERROR, "no move can be made for run " + turn.key, e);
                settler.release(turn);
                settler.refused(turn, e.toString(), apart);
                return true;
            }
        });
    }

    private void conclude(Committer.Result result, List<Work> apart) {
        result.stored.forEach(settler::settle);
        List<Work> lost = new ArrayList<>(0);
        for (Turn turn : result.lost) {
            lose(turn, lost);
        }
        for (Committer.Refused refused : result.refused) {
            settler.release(refused.turn());
            settler.refused(refused.turn(), refused.reason(), apart);
        }
        for (Turn turn : result.untried) {
            settler.release(turn);
            lost.addAll(turn.works());
        }
        unknown = List.copyOf(result.unknown);
        lost.addAll(apart);
        again(lost);
    }

    private void lose(Turn turn, List<Work> lost) {
        cache.evict(turn.key);
        settler.release(turn);
        for (Work work : turn.works()) {
            work.tries++;
            if (work.tries > parts.config().tries()) {
                throw new IllegalStateException("run " + turn.key + " is moved by somebody else, again and again");
            }
            lost.add(work);
        }
    }

    /** Reads what became of a commit whose connection broke, before anything is said or done again. */
    private void verify() throws JournalException {
        List<RunKey> keys = unknown.stream()
                .filter(turn -> turn.move != null)
                .map(turn -> turn.key)
                .toList();
        Map<RunKey, StoredRun> stored = parts.journal().load(lease.shard().id(), keys);
        boolean durable = unknown.stream().anyMatch(turn -> isStored(turn, stored));
        List<Turn> turns = unknown;
        unknown = List.of();
        List<Work> lost = new ArrayList<>();
        for (Turn turn : turns) {
            if (durable && (turn.move == null || isStored(turn, stored))) {
                settler.settle(turn);
            } else {
                lose(turn, lost);
            }
        }
        again(lost);
    }

    private static boolean isStored(Turn turn, Map<RunKey, StoredRun> found) {
        RunMove move = turn.move;
        StoredRun stored = found.get(turn.key);
        return move != null
                && stored != null
                && stored.lastSequence() == move.newSequence()
                && stored.lastHash().equals(move.newHash());
    }

    private static List<Turn> sorted(Collection<Turn> turns) {
        List<Turn> sorted = new ArrayList<>(turns);
        sorted.sort((a, b) -> a.key.compareTo(b.key));
        return sorted;
    }

    private void again(List<Work> works) {
        for (int i = works.size() - 1; i >= 0; i--) {
            redo.addFirst(works.get(i));
        }
    }

    private void unreachable(JournalException e) {
        Duration pause = backoff.pause();
        reachable = false;
        notBefore = parts.clock().now().plus(pause);
        LOG.log(
                Level.DEBUG,
                () -> "shard " + lease.shard().id() + " pauses for " + pause.toMillis() + " ms: " + e.getMessage());
    }

    private boolean hasMore() {
        return !redo.isEmpty()
                || !local.isEmpty()
                || !unknown.isEmpty()
                || !queue.isEmpty()
                || status == ShardStatus.RECOVERING
                || (gaveBack && tasks.open() == 0)
                || (status == ShardStatus.RUNNING
                        && (timers.reading() || !time.now().isBefore(timers.next())));
    }

    /** When to step again at the latest, by this machine's clock, if nothing arrives before. */
    public Instant wakeAt() {
        Instant now = parts.clock().now();
        if (now.isBefore(notBefore)) {
            return notBefore;
        }
        Instant wake = earlier(leaseUntil, tasks.next());
        if (status == ShardStatus.RUNNING) {
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

    /** Waits, in real time, until there is something to do; for the thread that steps this loop. */
    public void await() throws InterruptedException {
        Instant now = parts.clock().now();
        Duration left = Duration.between(now, earlier(wakeAt(), now.plusSeconds(1)));
        if (now.isBefore(notBefore)) {
            queue.pause(left.toNanos());
        } else if (left.isPositive()) {
            queue.await(left.toNanos());
        }
    }

    /** Ends at once: answers nothing but "busy", gives nothing back, drops every state. */
    public void end(String reason) {
        if (status == ShardStatus.ENDED) {
            return;
        }
        endReason = reason;
        status = ShardStatus.ENDED;
        LOG.log(Level.INFO, "shard " + lease.shard().id() + " at epoch " + lease.epoch() + " ends: " + reason);
        tasks.abandonAll();
        busy(queue.closeStarts(), "the shard changes hands");
        busy(inHand, "the shard changes hands");
        busy(redo, "the shard changes hands");
        unknown.forEach(turn -> busy(turn.works(), "the shard changes hands"));
        redo.clear();
        local.clear();
        cache.clear();
        unknown = List.of();
    }

    private static void busy(Collection<? extends Work> works, String reason) {
        for (Work work : works) {
            if (work instanceof StartWork start) {
                start.answer.complete(new StartAnswer.Busy(reason, RETRY_AFTER));
            }
        }
    }
}
