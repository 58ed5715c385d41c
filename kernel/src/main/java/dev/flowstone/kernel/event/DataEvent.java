package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What happens to the data that a run decides on. */
public sealed interface DataEvent extends EventBody {
    /** The subject has a new version; unless this run made it, what was decided and not yet applied is void (R15). */
    record SubjectChanged(boolean byThisRun, long subjectVersion) implements DataEvent {}

    /**
     * Results are left out of what the run's expressions read from now on (dataflow.md §8.4); the events that brought them
     * keep them.
     *
     * @param bytes of what is left out, by node
     */
    record ContextPruned(SortedMap<NodeId, Long> bytes) implements DataEvent {
        public ContextPruned {
            bytes = Collections.unmodifiableSortedMap(new TreeMap<>(bytes));
        }
    }

    /**
     * Variables of the run have new values, all at once.
     *
     * @param activation of the node that wrote them; empty if a person did
     * @param reason the person's
     */
    record VariablesSet(Optional<ActivationId> activation, Map<String, JsonValue> assigned, Optional<String> reason)
            implements DataEvent {
        public VariablesSet {
            requireNonNull(activation);
            assigned = Map.copyOf(assigned);
            requireNonNull(reason);
        }
    }
}
