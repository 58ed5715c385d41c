package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.Omitted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is left out of a run's context for a result that takes it beyond its bound, as its program says (dataflow.md §8.4). It is decided once
 * and recorded; whoever folds the history looks at no bound. Errors are never left out, nor what is no longer than the mark
 * that would stand for it.
 */
final class ContextPruning {
    /** So many in one event. */
    private static final int TOGETHER = 200;

    private static final Comparator<Candidate> OLDEST = Comparator.comparingLong(Candidate::visited)
            .thenComparingInt(it -> it.place().number());

    private ContextPruning() {}

    /** What is to be left out, with its lengths, so that this output can be taken; empty if it can't be. */
    static Optional<SortedMap<NodeId, Long>> making(Deciding deciding, ActivationId id, Payload output) {
        if (!ContextBound.exceeded(deciding, id, output)) {
            return Optional.of(Collections.emptySortedMap());
        }
        return switch (deciding.state().program().context().overflow()) {
            case FAIL -> Optional.empty();
            case DROP_OVERSIZE -> Optional.of(itself(id, output));
            case AUTO_PRUNE_OLDEST -> oldest(deciding, id, output);
        };
    }

    static void prune(Deciding deciding, SortedMap<NodeId, Long> bytes) {
        SortedMap<NodeId, Long> part = new TreeMap<>();
        for (Map.Entry<NodeId, Long> one : bytes.entrySet()) {
            part.put(one.getKey(), one.getValue());
            if (part.size() == TOGETHER) {
                deciding.emit(new DataEvent.ContextPruned(part));
                part.clear();
            }
        }
        if (!part.isEmpty()) {
            deciding.emit(new DataEvent.ContextPruned(part));
        }
    }

    private static SortedMap<NodeId, Long> itself(ActivationId id, Payload output) {
        SortedMap<NodeId, Long> dropped = new TreeMap<>();
        long bytes = PayloadSize.of(output);
        if (saves(bytes) > 0) {
            dropped.put(id.node(), bytes);
        }
        return dropped;
    }

    private static Optional<SortedMap<NodeId, Long>> oldest(Deciding deciding, ActivationId id, Payload output) {
        Draft state = deciding.state();
        long over = state.contextBytes()
                + PayloadSize.of(output)
                - state.node(state.topology().place(id.node())).resultBytes()
                - ContextBound.most(deciding);
        SortedMap<NodeId, Long> pruned = new TreeMap<>();
        for (Candidate candidate : candidates(state, id.node())) {
            if (over <= 0) {
                break;
            }
            // To measure one costs as much as it is long: only those that go are, and the few that are shorter than a
            // mark.
            long bytes = candidate.node().resultBytes();
            if (saves(bytes) > 0) {
                pruned.put(candidate.place().node().id(), bytes);
                over -= saves(bytes);
            }
        }
        return over <= 0 ? Optional.of(pruned) : Optional.empty();
    }

    private static List<Candidate> candidates(Draft state, NodeId but) {
        List<Candidate> candidates = new ArrayList<>();
        state.nodes().forEach((number, node) -> {
            Place place = state.topology().place((int) number);
            if (node.result() != null
                    && !node.leftOut()
                    && succeeded(node)
                    && !place.node().id().equals(but)) {
                candidates.add(new Candidate(place, node));
            }
        });
        candidates.sort(OLDEST);
        return candidates;
    }

    private static boolean succeeded(NodeState node) {
        Activation newest = node.activations().get(node.visits());
        return newest != null && Outcome.SUCCESS.equals(newest.outcome());
    }

    /** Bytes that the context loses if a mark takes the place of a result. */
    private static long saves(long bytes) {
        return bytes - PayloadSize.of(Omitted.of(bytes));
    }

    /** A result that may be left out, if it is longer than its mark. */
    private record Candidate(Place place, NodeState node) {
        /** The run's wait at which its node was visited last. */
        long visited() {
            return node.quiet();
        }
    }
}
