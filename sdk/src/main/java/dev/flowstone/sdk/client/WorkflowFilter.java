package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Which workflows.
 *
 * @param search looks into ids and names
 */
public record WorkflowFilter(Optional<WorkflowStatus> status, Optional<Boolean> enabled, Optional<String> search) {
    /** All. */
    public static final WorkflowFilter ALL = new WorkflowFilter(Optional.empty(), Optional.empty(), Optional.empty());

    public WorkflowFilter {
        requireNonNull(enabled);
        requireNonNull(search);
        if (status.filter(it -> it == WorkflowStatus.UNKNOWN).isPresent()) {
            throw new IllegalArgumentException("a status that isn't known can't be looked for");
        }
    }

    public WorkflowFilter withStatus(WorkflowStatus only) {
        return new WorkflowFilter(Optional.of(only), enabled, search);
    }

    public WorkflowFilter withEnabled(boolean only) {
        return new WorkflowFilter(status, Optional.of(only), search);
    }

    public WorkflowFilter withSearch(String text) {
        return new WorkflowFilter(status, enabled, Optional.of(text));
    }

    Call.Query query() {
        return new Call.Query()
                .add("status", status.map(WorkflowStatus::wire))
                .add("isEnabled", enabled)
                .add("search", search);
    }
}
