package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.Optional;

/**
 * A workflow without its definition.
 *
 * @param currentVersion the version that is started; empty if none ever was
 * @param latestVersion the newest, staged ones included
 * @param hasDraft whether a draft is open, beside the versions or alone
 * @param revision counts changes
 */
public record WorkflowSummary(
        String id,
        String displayName,
        Optional<String> description,
        WorkflowStatus status,
        boolean enabled,
        Optional<Integer> currentVersion,
        Optional<Integer> latestVersion,
        boolean hasDraft,
        Instant createdAt,
        Instant updatedAt,
        long revision) {
    static WorkflowSummary read(Tree tree) {
        return new WorkflowSummary(
                tree.text("id"),
                tree.textOrEmpty("displayName"),
                tree.maybeText("description"),
                tree.word("status", WorkflowStatus.class, WorkflowStatus.UNKNOWN),
                tree.flag("isEnabled"),
                tree.maybeCount("currentVersion"),
                tree.maybeCount("latestVersion"),
                tree.flag("hasDraft"),
                tree.time("createdAt"),
                tree.time("updatedAt"),
                tree.number("revision"));
    }
}
