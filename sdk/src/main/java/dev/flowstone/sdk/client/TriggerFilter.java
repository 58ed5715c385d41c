package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Which triggers.
 *
 * @param enabled those that fire now, or those that don't
 */
public record TriggerFilter(Optional<String> workflowId, Optional<TriggerType> type, Optional<Boolean> enabled) {
    /** All. */
    public static final TriggerFilter ALL = new TriggerFilter(Optional.empty(), Optional.empty(), Optional.empty());

    public TriggerFilter {
        requireNonNull(workflowId);
        requireNonNull(type);
        requireNonNull(enabled);
    }

    public TriggerFilter withWorkflow(String id) {
        return new TriggerFilter(Optional.of(id), type, enabled);
    }

    public TriggerFilter withType(TriggerType only) {
        return new TriggerFilter(workflowId, Optional.of(only), enabled);
    }

    public TriggerFilter withEnabled(boolean only) {
        return new TriggerFilter(workflowId, type, Optional.of(only));
    }

    Call.Query query() {
        return new Call.Query()
                .add("workflowId", workflowId)
                .add("triggerType", type.map(TriggerType::wire))
                .add("isEnabled", enabled);
    }
}
