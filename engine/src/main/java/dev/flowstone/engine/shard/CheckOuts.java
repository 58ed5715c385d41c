package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.ActivationId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

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

    /** Runs that are back, whose next attempt comes after what has waited meanwhile. */
    private final Set<RunKey> yielding = new HashSet<>();

    CheckOuts(int bound) {
        this.bound = bound;
    }

    private record CheckOut(InFlight.Name name, ArrayDeque<Work> held) {}

    /** Whether the run's next attempt must wait. */
    boolean mustWait(RunKey run) {
        return out.containsKey(run) || yielding.contains(run);
    }

    /** Whether the run is checked out for an attempt of this activation. */
    boolean isOut(RunKey run, ActivationId activation) {
        CheckOut checkOut = out.get(run);
        return checkOut != null && checkOut.name.activation().equals(activation);
    }

    /** The run is checked out for this attempt. */
    void begin(InFlight.Name name) {
        out.put(name.run(), new CheckOut(name, new ArrayDeque<>(2)));
    }

    /** Another attempt of the run waits until it is back. */
    void queue(RunKey run) {
        queued.add(run);
    }

    /** Whether attempts of the run have waited and may go now. Asked once after each of its turns. */
    boolean mayGo(RunKey run) {
        boolean yields = yielding.remove(run);
        return !yields && queued.contains(run) && !out.containsKey(run);
    }

    /** The run can't go on: nothing of it waits for its turn any more. */
    void forget(RunKey run) {
        queued.remove(run);
        yielding.remove(run);
    }

    /**
     * Keeps it for later, if it must wait.
     *
     * @param release gets a stored message that found no room; it will be read again
     */
    boolean keeps(CommandWork work, Consumer<InboxKey> release) {
        CheckOut checkOut = out.get(work.run);
        if (checkOut == null || isFor(checkOut, work)) {
            return false;
        }
        boolean dispensable = !(work.origin instanceof Origin.Engine);
        if (checkOut.held.size() < bound || !dispensable) {
            checkOut.held.add(work);
            return true;
        }
        // A letter comes again by itself.
        work.origin.inbox().ifPresent(release);
        work.busy("the run is in a transaction", RETRY_AFTER);
        return true;
    }

    /**
     * The transaction's own word on the same activation: an attempt before may have been recorded. What another process says
     * waits like all else, for the transaction may be committed and tell something else.
     */
    private static boolean isFor(CheckOut checkOut, CommandWork work) {
        return work.command instanceof Command.CompleteTask complete
                && complete.activation().equals(checkOut.name.activation())
                && switch (work.origin) {
                    case Origin.Engine _ -> true;
                    case Origin.Inbound inbound -> inbound.message().source().equals(TransactionRequest.SOURCE);
                    case Origin.Post _, Origin.Caller _ -> false;
                };
    }

    /** The attempt whose answer this was, durably decided: its run is back. Null if it was none. */
    InFlight.@org.jspecify.annotations.Nullable Name end(RunKey run, ActivationId activation, List<Work> held) {
        CheckOut checkOut = out.get(run);
        if (checkOut == null || !checkOut.name.activation().equals(activation)) {
            return null;
        }
        out.remove(run);
        held.addAll(checkOut.held);
        if (!held.isEmpty()) {
            yielding.add(run);
        }
        return checkOut.name;
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
