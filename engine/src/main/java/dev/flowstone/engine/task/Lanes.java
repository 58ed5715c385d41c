package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the next place: attempts of one handler in order, handlers in turn, at most so many at once in all, by name, and
 * of transactions together. Those hold connections that people's requests need too, so that their handlers share places,
 * however many names they have. Guarded by its dispatcher.
 */
final class Lanes {
    private final TaskConfig config;
    private final Predicate<HandlerName> transactional;
    private final int transactions;
    private final Map<HandlerName, Lane> lanes = new HashMap<>();

    /** Lanes that have something waiting and a place of their own, in turn. */
    private final ArrayDeque<Lane> ready = new ArrayDeque<>();

    /** Those among them whose turn came when there were as many transactions as there may be; they are next. */
    private final ArrayDeque<Lane> crowded = new ArrayDeque<>(0);

    private int running;
    private int transacting;
    private int waiting;

    /**
     * Nothing waits yet.
     *
     * @param transactional whose attempts are transactions
     * @param transactions how many of them may be under way at once
     */
    Lanes(TaskConfig config, Predicate<HandlerName> transactional, int transactions) {
        this.config = config;
        this.transactional = transactional;
        this.transactions = transactions;
    }

    /** Waits for a place from now on. */
    void add(TaskRun task) {
        Lane lane =
                lanes.computeIfAbsent(task.handler(), name -> new Lane(config.limit(name), transactional.test(name)));
        lane.waiting.add(task);
        waiting++;
        enlist(lane);
    }

    /** Waits no more, if it did. */
    void remove(TaskRun task) {
        Lane lane = lanes.get(task.handler());
        if (lane != null && lane.waiting.remove(task)) {
            waiting--;
        }
    }

    /** Takes everything that waits. */
    List<TaskRun> clear() {
        List<TaskRun> all = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            all.addAll(lane.waiting);
            lane.waiting.clear();
        }
        waiting = 0;
        return all;
    }

    /** Gives places to those that have waited longest, as long as there are any. */
    List<TaskRun> place() {
        List<TaskRun> placed = new ArrayList<>(1);
        for (Lane lane = turn(); lane != null; lane = turn()) {
            lane.enlisted = false;
            TaskRun task = lane.waiting.poll();
            if (task != null) {
                waiting--;
                running++;
                lane.running++;
                transacting += lane.transactional ? 1 : 0;
                placed.add(task);
                enlist(lane);
            }
        }
        return placed;
    }

    private @Nullable Lane turn() {
        if (running >= config.concurrency()) {
            return null;
        }
        boolean room = transacting < transactions;
        Lane lane = room && !crowded.isEmpty() ? crowded.poll() : ready.poll();
        while (lane != null && lane.transactional && !room) {
            crowded.add(lane);
            lane = ready.poll();
        }
        return lane;
    }

    /** Its place is free. */
    void ended(TaskRun task) {
        running--;
        Lane lane = lanes.get(task.handler());
        if (lane != null) {
            lane.running--;
            transacting -= lane.transactional ? 1 : 0;
            enlist(lane);
        }
    }

    int running() {
        return running;
    }

    int waiting() {
        return waiting;
    }

    /** As it is now; looks at everything that waits. */
    TaskLoad load() {
        Map<HandlerName, TaskLoad.Lane> byHandler = new HashMap<>();
        Map<WorkflowId, Integer> byWorkflow = new HashMap<>();
        lanes.forEach((name, lane) -> {
            byHandler.put(name, new TaskLoad.Lane(lane.running, lane.waiting.size(), lane.limit));
            lane.waiting.forEach(task -> byWorkflow.merge(task.workflow(), 1, Integer::sum));
        });
        return new TaskLoad(config.concurrency(), byHandler, byWorkflow);
    }

    private void enlist(Lane lane) {
        if (!lane.enlisted && !lane.waiting.isEmpty() && lane.running < lane.limit) {
            lane.enlisted = true;
            ready.add(lane);
        }
    }

    /** One handler's queue. */
    private static final class Lane {
        final int limit;
        final boolean transactional;
        final ArrayDeque<TaskRun> waiting = new ArrayDeque<>();
        int running;
        boolean enlisted;

        Lane(int limit, boolean transactional) {
            this.limit = limit;
            this.transactional = transactional;
        }
    }
}
