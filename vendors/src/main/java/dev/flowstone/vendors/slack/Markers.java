package dev.flowstone.vendors.slack;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.vendors.web.Query;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys in the metadata of messages (docs.slack.dev, "Message metadata"), by which a message is found whose posting nobody was told of.
 * Looked through are the newest thousand messages of a channel, or the first thousand replies of a thread.
 */
final class Markers {
    private static final String EVENT = "flowstone_message";
    private static final String KEY = "key";
    private static final int PAGES = 5;
    private static final int OF_PAGE = 200;

    private final SlackApi.Attempt slack;

    Markers(SlackApi.Attempt slack) {
        this.slack = slack;
    }

    static ObjectNode metadata(String key) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("event_type", EVENT);
        metadata.putObject("event_payload").put(KEY, key);
        return metadata;
    }

    Optional<Posted> find(String channel, Optional<String> thread, String key)
            throws ActionFailure, InterruptedException {
        String cursor = "";
        for (int page = 0; page < PAGES; page++) {
            JsonNode answer = slack.get(query(channel, thread, cursor));
            for (JsonNode message : answer.path("messages")) {
                if (isMarked(message, key)) {
                    return Optional.of(new Posted(channel, message.path("ts").asString(""), false));
                }
            }
            cursor = answer.path("response_metadata").path("next_cursor").asString("");
            if (cursor.isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Query query(String channel, Optional<String> thread, String cursor) {
        Query query = new Query(thread.isPresent() ? "conversations.replies" : "conversations.history")
                .with("channel", channel)
                .with("limit", OF_PAGE)
                .with("include_all_metadata", "true");
        thread.ifPresent(ts -> query.with("ts", ts));
        return cursor.isEmpty() ? query : query.with("cursor", cursor);
    }

    private static boolean isMarked(JsonNode message, String key) {
        JsonNode metadata = message.path("metadata");
        return metadata.path("event_type").asString("").equals(EVENT)
                && metadata.path("event_payload").path(KEY).asString("").equals(key);
    }
}
