package dev.flowstone.engine.task;

import dev.flowstone.engine.journal.RunKey;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The places of one run that may have so many attempts at once, in this process and in workers' hands together. While it
 * has room, the first of each of its queues is in its line; a queue whose first found none stands aside, in order. Guarded by the gates.
 */
final class RunPlace {
    final RunKey run;
    private int most;
    private final Set<TaskRun> going = new HashSet<>();
    private final SequencedSet<Waiting.Queue> aside = new LinkedHashSet<>();

    /** Attempts that wait, wherever. */
    private int waiting;

    RunPlace(RunKey run) {
        this.run = run;
    }

    /** The same run may go on in another program, and have more room there. */
    void bound(int bound) {
        most = bound;
        offer();
    }

    boolean hasRoom() {
        return going.size() < most;
    }

    /** It goes on, even if there was no room. */
    void enter(TaskRun task) {
        going.add(task);
    }

    /** It goes on no more, if it did: there is room for another. */
    void leave(TaskRun task) {
        if (going.remove(task)) {
            offer();
        }
    }

    void count(int more) {
        waiting += more;
    }

    void standAside(Waiting.Queue queue) {
        aside.add(queue);
    }

    void forget(Waiting.Queue queue) {
        aside.remove(queue);
    }

    /** While there is room, queues that stand aside offer their first again. */
    private void offer() {
        while (hasRoom() && !aside.isEmpty()) {
            aside.removeFirst().comeBack();
        }
    }

    /** Nothing of its run goes on or waits. */
    boolean isIdle() {
        return going.isEmpty() && waiting == 0;
    }
}
