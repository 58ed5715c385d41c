package dev.flowstone.sdk.client;

import java.util.List;

/**
 * What publishing made.
 *
 * @param created false if an equal definition was the newest version already
 * @param warnings what is doubtful about it
 */
public record PublishedWorkflow(
        String workflowId, int version, WorkflowStatus status, boolean created, List<Fault> warnings) {
    public PublishedWorkflow {
        warnings = List.copyOf(warnings);
    }

    static PublishedWorkflow read(Tree tree) {
        return new PublishedWorkflow(
                tree.text("workflowId"),
                tree.count("version"),
                tree.word("status", WorkflowStatus.class, WorkflowStatus.UNKNOWN),
                tree.flag("created"),
                tree.list("warnings", Fault::read));
    }
}
