package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.ActivationId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs that a transaction works on (R17): at most one for each run. What is asked of such a run waits here until the
 * transaction's answer has been decided, durably; so nothing changes the run while its subject is changed for it. Bounded:
 * beyond so many a caller is told to come again, and a message waits where it is stored. Belongs to its shard's loop.
 */
final class CheckOuts {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final int bound;
    private final Map<RunKey, CheckOut> out = new HashMap<>();

    /** Runs with further attempts that wait for their turn. */
    private final Set<RunKey> queued = new HashSet<>();

    /** Runs that are back, whose next attempt comes after all that has waited meanwhile, be it in many rounds. */
    private final Map<RunKey, Set<Work>> yielding = new HashMap<>();

    CheckOuts(int bound) {
        this.bound = bound;
    }

    /**
     * A run that is out.
     *
     * @param stored messages that found no room; they are read again when it is back, and not before
     */
    private record CheckOut(InFlight.Name name, ArrayDeque<Work> held, List<InboxKey> stored) {}

    /** Whether the run's next attempt must wait. */
    boolean mustWait(RunKey run) {
        return out.containsKey(run) || yielding.containsKey(run);
    }

    /** Whether the run is checked out for an attempt of this activation. */
    boolean isOut(RunKey run, ActivationId activation) {
        CheckOut checkOut = out.get(run);
        return checkOut != null && checkOut.name.activation().equals(activation);
    }

    /** The run is checked out for this attempt. */
    void begin(InFlight.Name name) {
        out.put(name.run(), new CheckOut(name, new ArrayDeque<>(2), new ArrayList<>(0)));
    }

    /** Another attempt of the run waits until it is back. */
    void queue(RunKey run) {
        queued.add(run);
    }

    /**
     * Whether attempts of the run have waited and may go now. Asked after each of its turns.
     *
     * @param redo what is still to be decided of what has waited, and more
     * @param local the same; what takes the place of one that couldn't be decided is there
     */
    boolean mayGo(RunKey run, Collection<Work> redo, Collection<Work> local) {
        if (queued.isEmpty() && yielding.isEmpty()) {
            return false;
        }
        Set<Work> before = yielding.get(run);
        if (before != null && Stream.concat(redo.stream(), local.stream()).anyMatch(before::contains)) {
            return false;
        }
        yielding.remove(run);
        return queued.contains(run) && !out.containsKey(run);
    }

    /** What has waited can't be decided: another takes its place. */
    void replaced(Work work, CommandWork by) {
        Set<Work> before = yielding.get(by.run);
        if (before != null && before.contains(work)) {
            before.add(by);
        }
    }

    /** The run can't go on: nothing of it waits for its turn any more. */
    void forget(RunKey run) {
        queued.remove(run);
        yielding.remove(run);
    }

    /** Keeps it for later, if it must wait. */
    boolean keeps(CommandWork work) {
        CheckOut checkOut = out.isEmpty() ? null : out.get(work.run);
        if (checkOut == null || isFor(checkOut, work)) {
            return false;
        }
        boolean dispensable = !(work.origin instanceof Origin.Engine);
        if (checkOut.held.size() < bound || !dispensable) {
            checkOut.held.add(work);
            return true;
        }
        // A letter comes again by itself.
        work.origin.inbox().ifPresent(checkOut.stored::add);
        work.busy("the run is in a transaction", RETRY_AFTER);
        return true;
    }

    /**
     * What is known of the same activation: by the engine, or by what a transaction has recorded (one before may have been).
     * What others say of it waits like anything else: the transaction goes on.
     */
    private static boolean isFor(CheckOut checkOut, CommandWork work) {
        return work.command instanceof Command.CompleteTask complete
                && complete.activation().equals(checkOut.name.activation())
                && (work.origin instanceof Origin.Engine || work.origin.isTransaction());
    }

    /** The attempt for which the run is checked out; null if it isn't. */
    InFlight.@Nullable Name name(RunKey run) {
        CheckOut checkOut = out.isEmpty() ? null : out.get(run);
        return checkOut == null ? null : checkOut.name;
    }

    /**
     * Its attempt has been answered for, durably: the run is back. What has waited.
     *
     * @param release gets the stored messages that found no room
     */
    List<Work> end(RunKey run, Consumer<InboxKey> release) {
        CheckOut checkOut = out.remove(run);
        if (checkOut == null) {
            return List.of();
        }
        checkOut.stored.forEach(release);
        if (checkOut.held.isEmpty()) {
            return List.of();
        }
        yielding.put(run, new HashSet<>(checkOut.held));
        return List.copyOf(checkOut.held);
    }

    /** Everything that waits. */
    List<Work> held() {
        List<Work> all = new ArrayList<>();
        out.values().forEach(checkOut -> all.addAll(checkOut.held));
        return all;
    }

    void clear() {
        out.clear();
        queued.clear();
        yielding.clear();
    }
}
