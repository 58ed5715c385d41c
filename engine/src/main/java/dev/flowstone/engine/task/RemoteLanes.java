package dev.flowstone.engine.task;

import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.limit.Permit;
import dev.flowstone.engine.limit.Turns;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The attempts that wait for a worker, by tenant, action and class, and the claims that wait for them; how many there are of each tenant.
 * A lane in which nothing and nobody waits is forgotten. Guarded by the gates, within whose changes all is called.
 */
final class RemoteLanes {
    private static final List<WorkClass> CLASSES = List.of(WorkClass.values());

    private final Gates gates;
    private final RunPlaces runs;
    private final Turns turns = new Turns();
    private final BiPredicate<RemoteEntry, RemoteWaiter> hold;
    private final Map<RemoteEntry.Lane, RemoteLane> lanes = new HashMap<>();
    private final Backlog backlog = new Backlog();

    /** Those that wait for something to come, or have just got it. */
    private final Set<RemoteWaiter> sleeping = new HashSet<>();

    private int turn;

    /**
     * Nothing waits yet.
     *
     * @param runs who have a bound of their own
     * @param hold puts an attempt into a worker's hands; false if nobody wants it to begin any more
     */
    RemoteLanes(Gates gates, RunPlaces runs, BiPredicate<RemoteEntry, RemoteWaiter> hold) {
        this.gates = gates;
        this.runs = runs;
        this.hold = hold;
    }

    void add(RemoteEntry entry) {
        backlog.count(entry.name.run().tenant(), 1);
        RemoteLane lane = lane(entry.lane());
        runs.come(entry.task);
        lane.waiting.add(entry);
        pass(lane);
    }

    /** Begins what may. */
    void pass(RemoteLane lane) {
        while (gates.pass(lane)) {}
    }

    RemoteLane lane(RemoteEntry.Lane key) {
        return lanes.computeIfAbsent(key, _ -> new RemoteLane(key, gates.of(key.action()), this));
    }

    /** How many of it may go on at once. */
    int most(HandlerName action) {
        return Gates.most(gates.of(action));
    }

    /** A worker goes on with it: it waits no more, and it has a place of its run even if there was none. */
    void force(RemoteEntry entry) {
        entry.permit = gates.force(lane(entry.lane()));
        if (entry.task.place != null) {
            entry.task.place.enter(entry.task);
        }
        remove(entry);
    }

    /** It waits no more, if it did. Of its run's places it is {@link RunPlaces#leave} that knows. */
    void remove(RemoteEntry entry) {
        RemoteLane lane = lanes.get(entry.lane());
        if (lane != null && lane.waiting.remove(entry)) {
            backlog.count(entry.name.run().tenant(), -1);
            tidy(lane);
        }
    }

    /** The first of the lane goes to the claim that has waited longest. */
    boolean handOut(RemoteLane lane, Permit permit) {
        Optional<RemoteEntry> first = lane.waiting.take();
        return first.isPresent() && handOut(lane, first.get(), permit);
    }

    private boolean handOut(RemoteLane lane, RemoteEntry entry, Permit permit) {
        backlog.count(lane.key.tenant(), -1);
        RemoteWaiter waiter = lane.claims.getFirst();
        boolean held = hold.test(entry, waiter);
        lane.waiting.taken(entry, held);
        if (held) {
            entry.permit = permit;
            waiter.take(entry);
            waiter.woken.signal();
            if (!waiter.takes()) {
                quit(waiter);
            }
        }
        return held;
    }

    /**
     * Gives a claim what there is for it: one of each action in turn, another action being the first each time, bulk
     * ones less often.
     *
     * @param sleeps whether it waits for more, if that was nothing
     */
    void fill(RemoteWaiter waiter, boolean sleeps) {
        waiter.sleeping = false;
        join(waiter);
        List<HandlerName> actions = waiter.claim.actions();
        int refused = 0;
        for (int i = Math.floorMod(turn++, actions.size()); refused < actions.size() && waiter.takes(); i++) {
            refused = pass(waiter, actions.get(i % actions.size())) ? 0 : refused + 1;
        }
        if (sleeps && waiter.taken.isEmpty() && !waiter.dismissed) {
            waiter.sleeping = true;
            sleeping.add(waiter);
        } else {
            leave(waiter);
        }
    }

    private boolean pass(RemoteWaiter waiter, HandlerName action) {
        RemoteLane sensitive = lane(key(waiter, action, WorkClass.LATENCY_SENSITIVE));
        RemoteLane bulk = lane(key(waiter, action, WorkClass.BULK));
        boolean bulkFirst = turns.next(sensitive.isReady(), bulk.isReady()) == WorkClass.BULK;
        return gates.pass(bulkFirst ? bulk : sensitive) || gates.pass(bulkFirst ? sensitive : bulk);
    }

    private void join(RemoteWaiter waiter) {
        keys(waiter).forEach(key -> lane(key).claims.add(waiter));
    }

    /** It is over. */
    void leave(RemoteWaiter waiter) {
        sleeping.remove(waiter);
        quit(waiter);
    }

    /** It gets nothing more, for now. */
    private void quit(RemoteWaiter waiter) {
        keys(waiter).forEach(key -> {
            RemoteLane lane = lanes.get(key);
            if (lane != null && lane.claims.remove(waiter)) {
                tidy(lane);
            }
        });
    }

    /** Ends the claims of a worker that wait, with what they have got. */
    void dismiss(RemoteWaiter.Worker worker) {
        sleeping.stream()
                .filter(waiter -> waiter.worker().equals(worker))
                .toList()
                .forEach(this::dismiss);
    }

    void dismissAll() {
        List.copyOf(sleeping).forEach(this::dismiss);
    }

    private void dismiss(RemoteWaiter waiter) {
        waiter.dismissed = true;
        waiter.woken.signal();
        leave(waiter);
    }

    /** A lane keeps its turn while claims come and go, but not for what comes when it has been empty. */
    private void tidy(RemoteLane lane) {
        if (!lane.waiting.isReady()) {
            gates.left(lane);
        }
        if (lane.waiting.isEmpty() && lane.claims.isEmpty()) {
            lanes.remove(lane.key);
        }
    }

    private static Stream<RemoteEntry.Lane> keys(RemoteWaiter waiter) {
        return waiter.claim.actions().stream()
                .flatMap(action -> CLASSES.stream().map(workClass -> key(waiter, action, workClass)));
    }

    private static RemoteEntry.Lane key(RemoteWaiter waiter, HandlerName action, WorkClass workClass) {
        return new RemoteEntry.Lane(waiter.claim.tenant(), action, workClass);
    }

    int size() {
        return backlog.size();
    }

    /** Whether more than the bound wait in all, and more than its equal share of it of this tenant. */
    boolean isOverloaded(TenantId tenant, int most) {
        return backlog.isOverloaded(tenant, most);
    }
}
