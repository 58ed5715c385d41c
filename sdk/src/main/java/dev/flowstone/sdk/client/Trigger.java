package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What starts executions of a workflow from outside.
 *
 * @param enabled whether it fires now: it is on, and its workflow takes executions
 * @param on whether it is on
 * @param declared whether the workflow's definition declares it: then it changes with that
 * @param config what is particular to its type; secrets are shown as {@code $set}
 * @param activationCondition what must be true of {@code trigger} for anything to be started
 * @param url the path to which a webhook's deliveries are sent
 * @param nextFireAt when a schedule that is enabled fires next
 * @param revision counts changes
 * @param json all that the server told
 */
public record Trigger(
        String id,
        String workflowId,
        TriggerType type,
        boolean enabled,
        boolean on,
        boolean declared,
        JsonNode config,
        Optional<String> activationCondition,
        Optional<String> url,
        Optional<Instant> nextFireAt,
        long revision,
        JsonNode json) {
    static Trigger read(Tree tree) {
        return new Trigger(
                tree.text("id"),
                tree.textOrEmpty("workflowId"),
                tree.word("triggerType", TriggerType.class, TriggerType.UNKNOWN),
                tree.flag("isEnabled"),
                tree.flag("configuredEnabled"),
                tree.flag("declared"),
                tree.json("config"),
                tree.maybeText("activationCondition"),
                tree.maybeText("url"),
                tree.maybeTime("nextFireAt"),
                tree.number("revision"),
                tree.json());
    }
}
