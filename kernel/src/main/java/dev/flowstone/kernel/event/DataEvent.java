package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;
import java.util.Optional;

/** What happens to the data that a run decides on. */
public sealed interface DataEvent extends EventBody {
    /** The subject has a new version; unless this run made it, what was decided and not yet applied is void (R15). */
    record SubjectChanged(boolean byThisRun, long subjectVersion) implements DataEvent {}

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
