package dev.flowstone.engine.task;

import dev.flowstone.engine.journal.RunKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The places of runs that have a bound, while something of them waits or goes on. Guarded by the gates. */
final class RunPlaces {
    private final Map<RunKey, RunPlace> places = new HashMap<>();

    /** It begins to wait; its run has places from now on, if it has a bound. */
    void come(TaskRun task) {
        RunBound bound = task.bound();
        if (bound == null) {
            return;
        }
        RunPlace place = places.computeIfAbsent(bound.run(), RunPlace::new);
        place.bound(bound.most());
        task.place = place;
    }

    /** It goes on no more, if it did, and waits no more: its place is the next one's of its run. Said again it means nothing. */
    void leave(TaskRun task) {
        @Nullable RunPlace place = task.place;
        if (place == null) {
            return;
        }
        place.leave(task);
        if (place.isIdle()) {
            places.remove(place.run, place);
        }
    }

    /** Runs of which something waits or goes on within a bound. */
    int size() {
        return places.size();
    }
}
