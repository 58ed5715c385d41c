package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that workers in other processes make. One is in the hands of one worker at a time, as far as this node can
 * know: it is lost, and used up, when its worker has been silent for as long as its lease. All of it is in memory,
 * because what is durable was so before it came here (R11: an attempt counts when it is scheduled): to hand out, to hear of
 * and to take back cost no statement. Thread-safe.
 */
public final class RemoteTasks {
    /** Of inputs that are set aside and go out at once, but for the first one. */
    private static final long BYTES = 4 << 20;

    private final HandlerRegistry handlers;
    private final PayloadReader payloads;
    private final TaskOutcomes outcomes;
    private final Links links;
    private final Clock clock;

    /** Leases of another incarnation are another node's, or this one's before it died. */
    private final String incarnation = UUID.randomUUID().toString().substring(0, 8);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<RemoteName.Visit, RemoteEntry> entries = new HashMap<>();
    private final RemoteLanes lanes = new RemoteLanes();
    private final Set<RemoteWaiter> waiters = new HashSet<>();
    private long leases;
    private int turn;
    private boolean quiet;
    private boolean stopped;

    RemoteTasks(HandlerRegistry handlers, PayloadReader payloads, TaskOutcomes outcomes, Links links, Clock clock) {
        this.handlers = requireNonNull(handlers);
        this.payloads = requireNonNull(payloads);
        this.outcomes = requireNonNull(outcomes);
        this.links = requireNonNull(links);
        this.clock = requireNonNull(clock);
    }

    /** Whether it is workers outside who do this action. */
    public boolean isRemote(HandlerName action) {
        return handlers.isRemote(action);
    }

    /**
     * Takes what waits, at once if something does, else when something comes; nothing once the wait, in real time, is over.
     */
    public List<RemoteTask> claim(RemoteClaim claim, Duration wait) throws InterruptedException {
        List<RemoteEntry> taken;
        lock.lock();
        try {
            taken = quiet ? List.of() : take(claim);
            if (taken.isEmpty() && !wait.isZero()) {
                taken = await(claim, wait.toNanos());
            }
        } finally {
            // Whoever was woken may not have had room for all of it, or was interrupted meanwhile: then the next in
            // line is.
            lanes.pass(claim);
            lock.unlock();
        }
        return delivered(taken);
    }

    private List<RemoteEntry> await(RemoteClaim claim, long nanos) throws InterruptedException {
        RemoteWaiter waiter =
                new RemoteWaiter(new RemoteWaiter.Worker(claim.tenant(), claim.worker()), lock.newCondition());
        List<RemoteEntry> taken = List.of();
        long left = nanos;
        waiters.add(waiter);
        try {
            while (taken.isEmpty() && left > 0 && !quiet && !waiter.dismissed) {
                lanes.join(claim, waiter.woken);
                try {
                    left = waiter.woken.awaitNanos(left);
                } finally {
                    lanes.leave(claim, waiter.woken);
                }
                taken = quiet || waiter.dismissed ? List.of() : take(claim);
            }
        } finally {
            waiters.remove(waiter);
        }
        return taken;
    }

    /** Ends the claims of a worker that wait, empty-handed: it is about to go. */
    public void leave(TenantId tenant, String worker) {
        lock.lock();
        try {
            dismiss(new RemoteWaiter.Worker(tenant, worker));
        } finally {
            lock.unlock();
        }
    }

    private void dismiss(RemoteWaiter.Worker worker) {
        for (RemoteWaiter waiter : waiters) {
            if (waiter.worker.equals(worker)) {
                waiter.dismissed = true;
                waiter.woken.signal();
            }
        }
    }

    /** One of each action in turn. Another action begins each time. */
    private List<RemoteEntry> take(RemoteClaim claim) {
        List<RemoteEntry> taken = new ArrayList<>();
        Instant now = clock.now();
        int actions = claim.actions().size();
        int empty = 0;
        long bytes = 0;
        for (int i = Math.floorMod(turn++, actions); empty < actions && taken.size() < claim.most(); i++) {
            RemoteEntry entry =
                    lanes.poll(RemoteLanes.lane(claim, claim.actions().get(i % actions)));
            empty = entry == null ? empty + 1 : 0;
            if (entry != null && hold(entry, now, claim.lease())) {
                entry.worker = new RemoteWaiter.Worker(claim.tenant(), claim.worker());
                taken.add(entry);
                bytes += entry.attempt.input() instanceof Payload.Stored stored ? stored.bytes() : 0;
                if (bytes > BYTES) {
                    break;
                }
            }
        }
        return taken;
    }

    /** False if nobody wants it to begin any more; whoever decided so forgets it. */
    private boolean hold(RemoteEntry entry, Instant now, Duration lease) {
        if (!entry.task.take(now)) {
            return false;
        }
        entry.lease = incarnation + "-" + ++leases;
        entry.until = now.plus(lease);
        return true;
    }

    private List<RemoteTask> delivered(List<RemoteEntry> taken) {
        try {
            return read(taken);
        } catch (Error e) {
            // Nobody hears of any of them. Given back, they use up nothing.
            taken.forEach(this::returned);
            throw e;
        }
    }

    private void returned(RemoteEntry entry) {
        lock.lock();
        try {
            if (entry(entry.name) != entry) {
                return;
            }
            forget(entry);
        } finally {
            lock.unlock();
        }
        entry.task.answer(TaskOutcome.of(new TaskAnswer.Returned()));
    }

    private List<RemoteTask> read(List<RemoteEntry> taken) {
        List<RemoteTask> tasks = new ArrayList<>(taken.size());
        for (RemoteEntry entry : taken) {
            String lease = entry.lease;
            try {
                TenantId tenant = entry.name.run().tenant();
                JsonValue input = payloads.resolve(tenant, entry.attempt.input());
                TaskCall call = TaskCall.of(
                        tenant,
                        entry.workflow,
                        entry.name.run().run(),
                        entry.correlation,
                        entry.attempt,
                        input,
                        links.of(tenant),
                        Optional.empty());
                if (lease != null) {
                    tasks.add(new RemoteTask(call, lease, entry.until));
                }
            } catch (JournalException e) {
                // Its input can't be read just now. Given back, it uses up nothing.
                answer(entry, TaskOutcome.of(new TaskAnswer.Returned()));
            } catch (RuntimeException e) {
                answer(entry, outcomes.threw(e));
            }
        }
        return tasks;
    }

    /**
     * Still works on it. What waits here under the lease of a node before is its worker's again, who may use both names for
     * its lease: it may not have heard of the new one.
     */
    public RemoteBeat heartbeat(RemoteName name, String lease, Duration longer) {
        lock.lock();
        try {
            boolean ours = lease.startsWith(incarnation + "-");
            RemoteEntry entry = entry(name);
            if (entry == null) {
                return ours ? new RemoteBeat.Gone() : new RemoteBeat.Unknown();
            }
            Instant now = clock.now();
            if (entry.isUnder(lease)) {
                entry.until = now.plus(longer);
                return new RemoteBeat.Held(requireNonNull(entry.lease), entry.task.isCanceled());
            }
            if (!ours && entry.lease == null && !quiet && hold(entry, now, longer)) {
                entry.before = lease;
                lanes.remove(entry);
                return new RemoteBeat.Held(requireNonNull(entry.lease), false);
            }
            return new RemoteBeat.Gone();
        } finally {
            lock.unlock();
        }
    }

    /** Gives it back unused: somebody else makes it. False, and nothing happens, if it isn't under this lease. */
    public boolean giveBack(RemoteName name, String lease) {
        RemoteEntry entry;
        lock.lock();
        try {
            entry = entry(name);
            if (entry == null || !entry.isUnder(lease)) {
                return false;
            }
            forget(entry);
        } finally {
            lock.unlock();
        }
        entry.task.answer(TaskOutcome.of(new TaskAnswer.Returned()));
        return true;
    }

    /**
     * Declares what silent workers hold lost; to be called every second or so. Claims of theirs that still wait end
     * empty-handed: nobody may be there any more to hear of the next task. Who lives claims again.
     */
    public void expire() {
        List<RemoteEntry> lost = new ArrayList<>(0);
        Instant now = clock.now();
        lock.lock();
        try {
            for (RemoteEntry entry : entries.values()) {
                if (entry.lease != null && !entry.until.isAfter(now)) {
                    lost.add(entry);
                }
            }
            for (RemoteEntry entry : lost) {
                forget(entry);
                if (entry.worker != null) {
                    dismiss(entry.worker);
                }
            }
        } finally {
            lock.unlock();
        }
        lost.forEach(entry -> entry.task.answer(TaskOutcome.of(new TaskAnswer.Lost())));
    }

    /** Whether it is in the hands of another worker than the one that has this lease. */
    public boolean isAnothers(RemoteName name, String lease) {
        lock.lock();
        try {
            RemoteEntry entry = entry(name);
            return entry != null && entry.lease != null && !entry.isUnder(lease);
        } finally {
            lock.unlock();
        }
    }

    /** Attempts that wait for a worker. */
    public int waiting() {
        lock.lock();
        try {
            return lanes.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether so many attempts wait that a tenant should begin nothing new: more than the bound in all, and more than its
     * equal share of it of this tenant, so that one whose workers are away doesn't stop the others.
     */
    boolean isOverloaded(TenantId tenant, int most) {
        lock.lock();
        try {
            return lanes.isOverloaded(tenant, most);
        } finally {
            lock.unlock();
        }
    }

    /** Attempts in the hands of workers. */
    public int held() {
        lock.lock();
        try {
            return entries.size() - lanes.size();
        } finally {
            lock.unlock();
        }
    }

    /** Hands out nothing more, and lets go of the workers that wait: the node is about to stop. */
    public void quiet() {
        lock.lock();
        try {
            quiet = true;
            lanes.wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** What waits, and what is offered from now on, comes back unused. What workers hold is given back by the shards. */
    void stop() {
        List<RemoteEntry> unstarted = new ArrayList<>();
        quiet();
        lock.lock();
        try {
            stopped = true;
            entries.values().stream().filter(entry -> entry.lease == null).forEach(unstarted::add);
            unstarted.forEach(this::forget);
        } finally {
            lock.unlock();
        }
        unstarted.forEach(entry -> entry.task.refuse(TaskOutcome.of(new TaskAnswer.Returned())));
    }

    void offer(RemoteEntry entry) {
        boolean refused;
        lock.lock();
        try {
            refused = stopped;
            if (!refused) {
                entries.put(entry.name.visit(), entry);
                lanes.add(entry);
            }
        } finally {
            lock.unlock();
        }
        if (refused) {
            entry.task.refuse(TaskOutcome.of(new TaskAnswer.Returned()));
        }
    }

    /** Nobody wants it any more, or it is settled: no worker gets it, and who holds it is told so. */
    void over(RemoteEntry entry) {
        lock.lock();
        try {
            forget(entry);
        } finally {
            lock.unlock();
        }
    }

    /** Nobody wants its result any more: one that still waits is answered for. */
    void canceled(RemoteEntry entry) {
        lock.lock();
        try {
            if (entry.lease != null || entry(entry.name) != entry) {
                return;
            }
            forget(entry);
        } finally {
            lock.unlock();
        }
        entry.task.answer(TaskRun.CANCELED);
    }

    /**
     * The activation is settled: no attempt of it is to be made any more.
     *
     * @return the number of the one that was, if there was one
     */
    public OptionalInt settled(RunKey run, ActivationId activation) {
        lock.lock();
        try {
            RemoteEntry entry = entries.get(new RemoteName.Visit(run, activation));
            if (entry == null) {
                return OptionalInt.empty();
            }
            forget(entry);
            return OptionalInt.of(entry.name.attempt());
        } finally {
            lock.unlock();
        }
    }

    private @Nullable RemoteEntry entry(RemoteName name) {
        RemoteEntry entry = entries.get(name.visit());
        return entry != null && entry.name.equals(name) ? entry : null;
    }

    private void answer(RemoteEntry entry, TaskOutcome outcome) {
        over(entry);
        entry.task.answer(outcome);
    }

    private void forget(RemoteEntry entry) {
        entries.remove(entry.name.visit(), entry);
        lanes.remove(entry);
    }
}
