package dev.flowstone.sdk.client;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * Something that has happened to an execution, for ever.
 *
 * @param sequence its number, from 1 without gaps
 * @param kind such as {@code TaskCompleted}; newer servers may have others
 * @param actor who caused it
 * @param body what it says besides, by its kind
 * @param json the whole event, with its place in the hash chain
 */
public record ExecutionEvent(
        String executionId, long sequence, String kind, Instant time, String actor, JsonNode body, JsonNode json) {
    static ExecutionEvent read(Tree tree) {
        return new ExecutionEvent(
                tree.text("run_id"),
                tree.number("sequence_number"),
                tree.text("kind"),
                tree.time("event_time"),
                tree.textOrEmpty("actor"),
                tree.json("body"),
                tree.json());
    }
}
