package dev.flowstone.server.stream;

import dev.flowstone.engine.journal.RunKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Executions that readers follow, and how often commits have moved each meanwhile. Guarded by its tail's lock. */
final class Followed {
    private final Map<RunKey, Place> all = new HashMap<>();

    private static final class Place {
        final int stream;
        int readers;
        long moves;

        Place(int stream) {
            this.stream = stream;
        }
    }

    /** @param stream in which each commit of the execution has a row */
    void add(RunKey run, int stream) {
        all.computeIfAbsent(run, _ -> new Place(stream)).readers++;
    }

    void remove(RunKey run) {
        all.computeIfPresent(run, (_, place) -> --place.readers == 0 ? null : place);
    }

    /** Grows with each commit that has moved it, and may grow with others. */
    long moves(RunKey run) {
        Place place = all.get(run);
        return place == null ? 0 : place.moves;
    }

    /** Those that have any. */
    Set<Integer> streams() {
        return all.values().stream().map(place -> place.stream).collect(Collectors.toSet());
    }

    void moved(Collection<RunKey> runs) {
        for (RunKey run : runs) {
            Place place = all.get(run);
            if (place != null) {
                place.moves++;
            }
        }
    }

    /** Nobody knows which: any of them. */
    void movedIn(int stream) {
        for (Place place : all.values()) {
            if (place.stream == stream) {
                place.moves++;
            }
        }
    }
}
