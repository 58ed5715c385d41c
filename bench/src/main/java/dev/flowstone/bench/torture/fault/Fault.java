package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.company.Node;
import java.time.Duration;
import java.util.List;

/**
 * Something that goes wrong.
 *
 * @param where it does, for people
 * @param lasts how long it goes on at least, once it has begun
 * @param away nodes that nobody can expect anything of meanwhile
 * @param mended whether all others do everything again while it lasts, so that recovery counts from its beginning
 * @param begin makes it so, and returns when it has had an effect, where that can be seen
 * @param end makes it good again
 */
record Fault(FaultKind kind, String where, Duration lasts, List<Node> away, boolean mended, Step begin, Step end) {
    Fault {
        requireNonNull(kind);
        requireNonNull(where);
        requireNonNull(lasts);
        away = List.copyOf(away);
        requireNonNull(begin);
        requireNonNull(end);
    }

    /** Changes something outside. */
    @FunctionalInterface
    interface Step {
        void take() throws Exception;
    }
}
