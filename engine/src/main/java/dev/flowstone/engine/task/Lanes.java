package dev.flowstone.engine.task;

import dev.flowstone.engine.limit.Gate;
import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.limit.Line;
import dev.flowstone.engine.limit.Permit;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Who gets the next place: attempts of one handler and tenant in order, these in turn, bulk ones less often, at most so many at once in all, by limits, of
 * one run, and of transactions together. Those hold connections that people's requests need too, so that their handlers share places,
 * however many names they have. Guarded by its gates.
 */
final class Lanes {
    /** One of so many places isn't for bulk work. */
    private static final int KEPT = 4;

    private final Gates gates;
    private final RunPlaces runs;
    private final Gate all;
    private final Gate transactions;

    /** Leaves places to what can't wait, however long bulk work takes. */
    private final Gate bulk;

    private final int concurrency;
    private final Predicate<HandlerName> transactional;
    private final Consumer<TaskRun> begins;
    private final Map<Key, Lane> lanes = new HashMap<>();
    /** How many may go on at once, of each handler that ever had something to do: one that is idle is seen to be. */
    private final Map<HandlerName, Integer> known = new HashMap<>();

    private final Backlog backlog = new Backlog();
    private int running;

    /**
     * Nothing waits yet.
     *
     * @param runs who have a bound of their own
     * @param transactional whose attempts are transactions
     * @param transactions how many of them may be under way at once
     * @param begins is told of each that gets a place, while the gates are locked
     */
    Lanes(
            Gates gates,
            RunPlaces runs,
            int concurrency,
            Predicate<HandlerName> transactional,
            int transactions,
            Consumer<TaskRun> begins) {
        this.gates = gates;
        this.runs = runs;
        this.concurrency = concurrency;
        this.all = Gates.gate(concurrency);
        this.bulk = Gates.gate(Math.max(1, concurrency - concurrency / KEPT));
        this.transactional = transactional;
        this.transactions = Gates.gate(transactions);
        this.begins = begins;
    }

    /** Begins, or waits for a place from now on. */
    void add(TaskRun task) {
        Lane lane = lanes.computeIfAbsent(Key.of(task), this::lane);
        runs.come(task);
        lane.waiting.add(task);
        backlog.count(task.tenant(), 1);
        lane.pass();
    }

    private Lane lane(Key key) {
        List<Gate> limits = new ArrayList<>(gates.of(key.handler));
        if (transactional.test(key.handler)) {
            limits.add(transactions);
        }
        if (key.workClass == WorkClass.BULK) {
            limits.add(bulk);
        }
        limits.add(all);
        Lane lane = new Lane(key, limits);
        known.merge(key.handler, lane.most(), Math::max);
        return lane;
    }

    private record Key(TenantId tenant, HandlerName handler, WorkClass workClass) {
        static Key of(TaskRun task) {
            return new Key(task.tenant(), task.handler(), task.workClass());
        }
    }

    /** Waits no more; false if it didn't. */
    boolean remove(TaskRun task) {
        Lane lane = lanes.get(Key.of(task));
        if (lane == null || !lane.waiting.remove(task)) {
            return false;
        }
        backlog.count(task.tenant(), -1);
        if (!lane.waiting.isReady()) {
            gates.left(lane);
            lane.tidy();
        }
        runs.leave(task);
        return true;
    }

    /** Takes everything that waits. */
    List<TaskRun> clear() {
        List<TaskRun> all = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            all.addAll(lane.waiting.clear());
            gates.left(lane);
        }
        all.forEach(task -> backlog.count(task.tenant(), -1));
        all.forEach(runs::leave);
        lanes.values().removeIf(lane -> lane.running == 0);
        return all;
    }

    /** Its place is free; said again it means nothing. */
    void ended(TaskRun task) {
        if (task.permit == null) {
            return;
        }
        gates.end(task.permit);
        task.permit = null;
        running--;
        Lane lane = lanes.get(Key.of(task));
        if (lane != null) {
            lane.running--;
            lane.tidy();
        }
        runs.leave(task);
    }

    /** Its run may do something else in its place; the one that it has here it keeps. Said again it means nothing. */
    void makeRoom(TaskRun task) {
        runs.leave(task);
    }

    int running() {
        return running;
    }

    int waiting() {
        return backlog.size();
    }

    boolean isOverloaded(TenantId tenant, int most) {
        return backlog.isOverloaded(tenant, most);
    }

    /** As it is now; looks at no more of what waits than one of each run. */
    TaskLoad load(Map<HandlerName, TaskLoad.Lane> remote) {
        Map<HandlerName, TaskLoad.Lane> byHandler = new HashMap<>();
        Map<WorkflowId, Integer> byWorkflow = new HashMap<>();
        known.forEach((handler, most) -> byHandler.put(handler, new TaskLoad.Lane(0, 0, most, Instant.MAX)));
        lanes.forEach((key, lane) -> {
            byHandler.merge(key.handler, lane.load(), TaskLoad.Lane::with);
            lane.waiting.byWorkflow().forEach((workflow, count) -> byWorkflow.merge(workflow, count, Integer::sum));
        });
        return new TaskLoad(concurrency, byHandler, remote, gates.running(), byWorkflow);
    }

    /** One handler's queue, of one tenant and class. A tenant that has nothing to do has none. */
    private final class Lane extends Line {
        final Key key;
        final Waiting<TaskRun> waiting = new Waiting<>(task -> task, this::pass);
        int running;

        Lane(Key key, List<Gate> limits) {
            super(key.workClass, limits);
            this.key = key;
        }

        void tidy() {
            if (waiting.isEmpty() && running == 0) {
                lanes.remove(key);
            }
        }

        /** Begins what may. */
        void pass() {
            while (gates.pass(this)) {}
        }

        TaskLoad.Lane load() {
            Instant since = waiting.firsts()
                    .map(TaskRun::submittedAt)
                    .min(Comparator.naturalOrder())
                    .orElse(Instant.MAX);
            return new TaskLoad.Lane(running, waiting.size(), most(), since);
        }

        @Override
        protected boolean isReady() {
            return waiting.isReady();
        }

        @Override
        protected boolean begin(Permit permit) {
            Optional<TaskRun> first = waiting.take();
            first.ifPresent(task -> begin(task, permit));
            return first.isPresent();
        }

        private void begin(TaskRun task, Permit permit) {
            task.permit = permit;
            backlog.count(key.tenant, -1);
            Lanes.this.running++;
            running++;
            waiting.taken(task, true);
            begins.accept(task);
        }
    }
}
