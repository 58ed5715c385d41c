package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a run knows about one node of its program.
 *
 * @param visits how often it was visited, skipped visits included
 * @param result the newest output, or error, under which later nodes see it
 * @param leftOut whether that is the mark of one that was left out: nothing else tells it from a result that looks like a mark
 * @param quiet number of the last wait of the run when the node was last visited
 * @param loops visits since that wait (R4)
 * @param activations by visit; the newest {@link #REMEMBERED}, and older ones that are not over
 */
public record NodeState(
        int visits, @Nullable Payload result, boolean leftOut, long quiet, int loops, LongMap<Activation> activations) {
    /** How many settled visits of a node stay known, to answer a repeated answer with more than "long ago". */
    public static final int REMEMBERED = 256;

    static final NodeState UNVISITED = new NodeState(0, null, false, -1, 0, LongMap.empty());

    /** Automatic visits without a wait between, the next one included. */
    public int loopsAfterNext(long waits) {
        return quiet == waits ? loops + 1 : 1;
    }

    /** Bytes of the newest result; 0 if there is none. */
    public long resultBytes() {
        return result == null ? 0 : PayloadSize.of(result);
    }

    /** Of how many bytes the newest result was, if it was left out. */
    public OptionalLong omittedBytes() {
        return leftOut && result != null ? Omitted.bytes(result) : OptionalLong.empty();
    }

    NodeState visited(Activation activation, long waits) {
        int visit = activation.id().visit();
        LongMap<Activation> kept = activations;
        Activation before = kept.get(visit - 1);
        if (before != null && before.status().isFinal()) {
            kept = kept.with(visit - 1, before.condensed());
        }
        Activation oldest = kept.get((long) visit - REMEMBERED);
        if (oldest != null && oldest.status().isFinal()) {
            kept = kept.without((long) visit - REMEMBERED);
        }
        return new NodeState(visit, result, leftOut, waits, loopsAfterNext(waits), kept.with(visit, activation));
    }

    NodeState withoutOldest() {
        return new NodeState(visits, result, leftOut, quiet, loops, activations.without(activations.firstKey()));
    }

    NodeState with(Activation activation) {
        return new NodeState(
                visits,
                result,
                leftOut,
                quiet,
                loops,
                activations.with(activation.id().visit(), activation));
    }

    /** One that counts its visits on from so many. */
    NodeState from(int made) {
        return made <= visits ? this : new NodeState(made, result, leftOut, quiet, loops, activations);
    }

    NodeState withResult(Payload newest) {
        return new NodeState(visits, newest, false, quiet, loops, activations);
    }

    /** A mark stands for its result, which had so many bytes. */
    NodeState withoutResult(long bytes) {
        return new NodeState(visits, Omitted.of(bytes), true, quiet, loops, activations);
    }
}
