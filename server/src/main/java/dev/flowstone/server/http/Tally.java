package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one call has counted against. Whatever becomes of it, and whichever node answers, its answer tells what is left of the budget
 * that has the least. Belongs to the call's thread.
 */
public final class Tally {
    private @Nullable Allowance tightest;
    private @Nullable Start start;

    private record Start(Allowance allowance, Runnable giveBack) {}

    /** Counts against a budget, if it has one; goes on if it was let in. */
    public void count(Optional<Allowance> allowance) throws ProblemException {
        if (allowance.isPresent()) {
            tightest = tighter(tightest, allowance.get());
            allowance.get().check();
        }
    }

    /**
     * Counts a start, let in or not. Who is answered 200 has started nothing, but found what was there: then it didn't count.
     *
     * @param giveBack to the budget, if it was let in
     */
    public void start(Allowance allowance, Runnable giveBack) {
        start = new Start(requireNonNull(allowance), requireNonNull(giveBack));
    }

    /** Its answer, once. */
    Reply on(Reply reply) {
        Allowance shown = tightest;
        if (start != null && reply.status() != 200) {
            shown = tighter(shown, start.allowance());
        } else if (start != null && start.allowance().pause().isEmpty()) {
            start.giveBack().run();
        }
        return shown == null ? reply : shown.on(reply);
    }

    private static Allowance tighter(@Nullable Allowance one, Allowance other) {
        return one == null || other.left() < one.left() ? other : one;
    }
}
