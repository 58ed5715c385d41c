package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What somebody is asked.
 *
 * @param activation the node and its visit, such as {@code review#1}: names it within its execution
 * @param assignees {@code user:ID} or {@code role:NAME}
 * @param later those who are asked when the others have decided
 * @param request what is asked
 * @param outcomes what may be decided
 * @param json all that the server told, such as the {@code decisions} so far
 */
public record HumanTask(
        String executionId,
        String workflowId,
        String activation,
        Instant openedAt,
        Optional<Instant> dueAt,
        List<String> assignees,
        List<String> later,
        Optional<String> claimedBy,
        Optional<Instant> claimedUntil,
        JsonNode request,
        List<String> outcomes,
        JsonNode json) {
    public HumanTask {
        assignees = List.copyOf(assignees);
        later = List.copyOf(later);
        outcomes = List.copyOf(outcomes);
    }

    static HumanTask read(Tree tree) {
        return new HumanTask(
                tree.text("executionId"),
                tree.textOrEmpty("workflowId"),
                tree.text("activation"),
                tree.time("openedAt"),
                tree.maybeTime("dueAt"),
                tree.texts("assignees"),
                tree.texts("later"),
                tree.maybeText("claimedBy"),
                tree.maybeTime("claimedUntil"),
                tree.json("request"),
                tree.texts("outcomes"),
                tree.json());
    }

    public TaskName name() {
        return new TaskName(executionId, activation);
    }
}
