package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that workers in other processes make. One is in the hands of one worker at a time, as far as this node can
 * know: it is lost, and used up, when its worker has been silent for as long as its lease. All of it is in memory,
 * because what is durable was so before it came here (R11: an attempt counts when it is scheduled): to hand out, to hear of
 * and to take back cost no statement. Thread-safe.
 */
public final class RemoteTasks {
    private final HandlerRegistry handlers;
    private final PayloadReader payloads;
    private final TaskOutcomes outcomes;
    private final Links links;
    private final Clock clock;

    /** Leases of another incarnation are another node's, or this one's before it died. */
    private final String incarnation = UUID.randomUUID().toString().substring(0, 8);

    private final Gates gates;
    private final RunPlaces runs;
    private final TaskObserver observer;
    private final Map<RemoteName.Visit, RemoteEntry> entries = new HashMap<>();
    private final RemoteLanes lanes;
    private long leases;
    private boolean quiet;
    private boolean stopped;

    /**
     * Nothing waits yet.
     *
     * @param gates guard what is here, and let attempts begin within limits
     * @param runs who have a bound of their own, with this node's handlers
     */
    RemoteTasks(
            HandlerRegistry handlers,
            PayloadReader payloads,
            TaskOutcomes outcomes,
            Links links,
            Clock clock,
            Gates gates,
            RunPlaces runs,
            TaskObserver observer) {
        this.handlers = requireNonNull(handlers);
        this.payloads = requireNonNull(payloads);
        this.outcomes = requireNonNull(outcomes);
        this.links = requireNonNull(links);
        this.clock = requireNonNull(clock);
        this.gates = requireNonNull(gates);
        this.runs = requireNonNull(runs);
        this.observer = requireNonNull(observer);
        this.lanes = new RemoteLanes(gates, runs, this::handOut);
    }

    /** Whether it is workers outside who do this action. */
    public boolean isRemote(HandlerName action) {
        return handlers.isRemote(action);
    }

    /**
     * Takes what waits, at once if something does, else when something comes; nothing once the wait, in real time, is over.
     */
    public List<RemoteTask> claim(RemoteClaim claim, Duration wait) throws InterruptedException {
        RemoteWaiter waiter = new RemoteWaiter(claim, gates.condition());
        if (!fill(waiter, !wait.isZero())) {
            return delivered(waiter.taken);
        }
        try {
            gates.await(waiter.woken, wait.toNanos(), waiter::isOver);
        } catch (InterruptedException e) {
            giveUp(waiter);
            throw e;
        }
        return end(waiter);
    }

    /** The same for whoever waits without a thread: takes what waits if something does, else waits until it is ended. */
    public RemoteClaiming begin(RemoteClaim claim) {
        RemoteWaiter waiter = new RemoteWaiter(claim, gates.condition());
        fill(waiter, true);
        return new RemoteClaiming(this, gates, waiter);
    }

    /** Whether it waits for more. */
    private boolean fill(RemoteWaiter waiter, boolean sleeps) {
        return gates.change(() -> {
            if (!quiet) {
                lanes.fill(waiter, sleeps);
            }
            return waiter.sleeping;
        });
    }

    List<RemoteTask> end(RemoteWaiter waiter) {
        gates.change(() -> {
            if (waiter.sleeping && !waiter.taken.isEmpty() && !quiet && !waiter.dismissed) {
                lanes.fill(waiter, false);
            } else {
                lanes.leave(waiter);
            }
        });
        return delivered(waiter.taken);
    }

    /** Nobody hears of what came at this very moment. Given back, it uses up nothing. */
    void giveUp(RemoteWaiter waiter) {
        gates.change(() -> lanes.leave(waiter));
        waiter.taken.forEach(this::returned);
    }

    /** Ends the claims of a worker that wait, empty-handed: it is about to go. */
    public void leave(TenantId tenant, String worker) {
        gates.change(() -> lanes.dismiss(new RemoteWaiter.Worker(tenant, worker)));
    }

    private boolean handOut(RemoteEntry entry, RemoteWaiter waiter) {
        if (!hold(entry, clock.now(), waiter.claim.lease())) {
            return false;
        }
        entry.worker = waiter.worker();
        return true;
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
            taken.forEach(entry -> observer.began(entry.attempt.handler(), entry.task.waited()));
            return read(taken);
        } catch (Error e) {
            // Nobody hears of any of them. Given back, they use up nothing.
            taken.forEach(this::returned);
            throw e;
        }
    }

    private void returned(RemoteEntry entry) {
        boolean ours = gates.change(() -> {
            boolean here = entry(entry.name) == entry;
            if (here) {
                forget(entry);
            }
            return here;
        });
        if (ours) {
            entry.task.answer(TaskOutcome.of(new TaskAnswer.Returned()));
        }
    }

    private List<RemoteTask> read(List<RemoteEntry> taken) {
        List<RemoteTask> tasks = new ArrayList<>(taken.size());
        for (RemoteEntry entry : taken) {
            String lease = entry.lease;
            Optional<TaskOutcome> refused = refused(entry);
            if (refused.isPresent()) {
                answer(entry, refused.get());
                continue;
            }
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
                        JsonNull.NULL,
                        links.of(tenant),
                        RequesterLookup.UNKNOWN,
                        () -> false,
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
        return gates.change(() -> {
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
                // It is under way, whatever the limits say.
                lanes.force(entry);
                return new RemoteBeat.Held(requireNonNull(entry.lease), false);
            }
            return new RemoteBeat.Gone();
        });
    }

    /** Gives it back unused: somebody else makes it. False, and nothing happens, if it isn't under this lease. */
    public boolean giveBack(RemoteName name, String lease) {
        Optional<RemoteEntry> back = gates.change(() -> {
            Optional<RemoteEntry> held = Optional.ofNullable(entry(name)).filter(entry -> entry.isUnder(lease));
            held.ifPresent(this::forget);
            return held;
        });
        back.ifPresent(entry -> entry.task.answer(TaskOutcome.of(new TaskAnswer.Returned())));
        return back.isPresent();
    }

    /**
     * Declares what silent workers hold lost, and refuses what waits and must not be made any more; to be called every second or so. Claims of theirs that still wait end
     * empty-handed: nobody may be there any more to hear of the next task. Who lives claims again.
     */
    public void expire() {
        Instant now = clock.now();
        List<RemoteEntry> lost = gates.change(() -> {
            List<RemoteEntry> silent = entries.values().stream()
                    .filter(entry -> entry.lease != null && !entry.until.isAfter(now))
                    .toList();
            // First, so that none of their claims gets what their silence leaves to others.
            silent.stream().map(entry -> entry.worker).filter(Objects::nonNull).forEach(lanes::dismiss);
            silent.forEach(this::forget);
            return silent;
        });
        lost.forEach(entry -> entry.task.answer(TaskOutcome.of(new TaskAnswer.Lost())));
        refuseSwitchedOff();
    }

    /** Whether or not there is a worker who asks for it. */
    private void refuseSwitchedOff() {
        Map<RemoteEntry, TaskOutcome> refused = gates.change(() -> {
            Map<RemoteEntry, TaskOutcome> off = new HashMap<>();
            entries.values().stream()
                    .filter(entry -> entry.lease == null)
                    .forEach(entry -> refused(entry).ifPresent(why -> off.put(entry, why)));
            off.keySet().forEach(this::forget);
            return off;
        });
        refused.forEach((entry, why) -> entry.task.refuse(why));
    }

    /** Whether it is in the hands of another worker than the one that has this lease. */
    public boolean isAnothers(RemoteName name, String lease) {
        return gates.look(() -> {
            RemoteEntry entry = entry(name);
            return entry != null && entry.lease != null && !entry.isUnder(lease);
        });
    }

    /** Attempts that wait for a worker. */
    public int waiting() {
        return gates.look(lanes::size);
    }

    /**
     * Whether so many attempts wait that a tenant should begin nothing new: more than the bound in all, and more than its
     * equal share of it of this tenant, so that one whose workers are away doesn't stop the others.
     */
    boolean isOverloaded(TenantId tenant, int most) {
        return gates.look(() -> lanes.isOverloaded(tenant, most));
    }

    /** Attempts in the hands of workers. */
    public int held() {
        return gates.look(() -> entries.size() - lanes.size());
    }

    /** What waits and what goes on, by action. */
    Map<HandlerName, TaskLoad.Lane> load() {
        return gates.look(() -> {
            Map<HandlerName, TaskLoad.Lane> load = new HashMap<>();
            for (RemoteEntry entry : entries.values()) {
                load.merge(entry.attempt.handler(), entry.load(), TaskLoad.Lane::with);
            }
            load.replaceAll((action, lane) -> lane.within(lanes.most(action)));
            return load;
        });
    }

    /** Hands out nothing more, and lets go of the workers that wait: the node is about to stop. */
    public void quiet() {
        gates.change(() -> {
            quiet = true;
            lanes.dismissAll();
        });
    }

    /** What waits, and what is offered from now on, comes back unused. What workers hold is given back by the shards. */
    void stop() {
        quiet();
        List<RemoteEntry> unstarted = gates.change(() -> {
            stopped = true;
            List<RemoteEntry> waiting = entries.values().stream()
                    .filter(entry -> entry.lease == null)
                    .toList();
            waiting.forEach(this::forget);
            return waiting;
        });
        unstarted.forEach(entry -> entry.task.refuse(TaskOutcome.of(new TaskAnswer.Returned())));
    }

    /** What comes of an attempt that must not be made, whoever would make it. */
    private Optional<TaskOutcome> refused(RemoteEntry entry) {
        return handlers.refusal(entry.attempt.handler())
                .map(why -> TaskOutcome.failed(FailureClass.POLICY_DENIED, ActionSwitch.CODE, why));
    }

    void offer(RemoteEntry entry) {
        Optional<TaskOutcome> switchedOff = refused(entry);
        if (switchedOff.isPresent()) {
            entry.task.refuse(switchedOff.get());
            return;
        }
        boolean refused = gates.change(() -> {
            if (!stopped) {
                RemoteEntry before = entries.put(entry.name.visit(), entry);
                if (before != null) {
                    forget(before);
                }
                lanes.add(entry);
            }
            return stopped;
        });
        if (refused) {
            entry.task.refuse(TaskOutcome.of(new TaskAnswer.Returned()));
        }
    }

    /** Nobody wants it any more, or it is settled: no worker gets it, and who holds it is told so. */
    void over(RemoteEntry entry) {
        gates.change(() -> forget(entry));
    }

    /** Nobody wants its result any more: one that still waits is answered for. */
    void canceled(RemoteEntry entry) {
        boolean waited = gates.change(() -> {
            boolean waits = entry.lease == null && entry(entry.name) == entry;
            if (waits) {
                forget(entry);
            }
            return waits;
        });
        if (waited) {
            entry.task.answer(TaskRun.CANCELED);
        }
    }

    /**
     * The activation is settled: no attempt of it is to be made any more.
     *
     * @return the number of the one that was, if there was one
     */
    public OptionalInt settled(RunKey run, ActivationId activation) {
        return gates.change(() -> {
            RemoteEntry entry = entries.get(new RemoteName.Visit(run, activation));
            if (entry == null) {
                return OptionalInt.empty();
            }
            forget(entry);
            return OptionalInt.of(entry.name.attempt());
        });
    }

    /** Of the run of which an attempt is here; latency-sensitive if none is. */
    public WorkClass workClass(RunKey run, ActivationId activation) {
        return gates.look(() -> {
            RemoteEntry entry = entries.get(new RemoteName.Visit(run, activation));
            return entry == null ? WorkClass.LATENCY_SENSITIVE : entry.task.workClass();
        });
    }

    private @Nullable RemoteEntry entry(RemoteName name) {
        RemoteEntry entry = entries.get(name.visit());
        return entry != null && entry.name.equals(name) ? entry : null;
    }

    private void answer(RemoteEntry entry, TaskOutcome outcome) {
        over(entry);
        entry.task.answer(outcome);
    }

    /** Within a change: the only way out of here, for whatever reason. */
    private void forget(RemoteEntry entry) {
        entries.remove(entry.name.visit(), entry);
        lanes.remove(entry);
        gates.end(entry.permit);
        runs.leave(entry.task);
    }
}
