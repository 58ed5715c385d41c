package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A workflow with one of its definitions.
 *
 * @param version of the definition; empty if it is the draft's
 * @param definition as it was sent
 * @param checksum of the definition
 * @param publishedAt when this version was made
 */
public record Workflow(
        WorkflowSummary summary,
        Optional<Integer> version,
        JsonNode definition,
        Optional<String> checksum,
        Optional<Instant> publishedAt) {
    static Workflow read(Tree tree) {
        return new Workflow(
                WorkflowSummary.read(tree),
                tree.maybeCount("version"),
                tree.json("definition"),
                tree.maybeText("checksum"),
                tree.maybeTime("publishedAt"));
    }
}
