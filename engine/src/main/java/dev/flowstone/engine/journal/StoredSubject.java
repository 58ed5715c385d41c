package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import java.util.List;

/**
 * What starts must know of a subject.
 *
 * @param version that it has, as far as its runs and its editors have said
 * @param bound the runs that live on it
 */
public record StoredSubject(long version, List<Bound> bound) {
    public StoredSubject {
        bound = List.copyOf(bound);
    }

    /** A living run; exclusive if it must be alone. */
    public record Bound(RunId run, boolean exclusive) {
        public Bound {
            requireNonNull(run);
        }
    }
}
