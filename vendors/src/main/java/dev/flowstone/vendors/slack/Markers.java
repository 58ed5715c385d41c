package dev.flowstone.vendors.slack;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.vendors.web.Query;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys in the metadata of messages (docs.slack.dev, "Message metadata"), by which a message is found whose posting nobody was told of.
 * Looked through are the newest thousand messages of a channel, or the first thousand replies of a thread, on twenty pages at most: Slack
 * may show fewer on a page than it is asked for.
 */
final class Markers {
    private static final String EVENT = "flowstone_message";
    private static final String KEY = "key";
    private static final int MESSAGES = 1_000;
    private static final int PAGES = 20;
    private static final int OF_PAGE = 200;

    private final SlackApi.Attempt slack;
    private final String channel;
    private final Optional<String> thread;

    /**
     * Where to look.
     *
     * @param thread the ts of the message that it begins with; else in the channel itself
     */
    Markers(SlackApi.Attempt slack, String channel, Optional<String> thread) {
        this.slack = slack;
        this.channel = channel;
        this.thread = thread;
    }

    /**
     * What was found.
     *
     * @param toTheEnd whether there was nothing more to look at
     */
    record Found(Optional<Posted> message, boolean toTheEnd) {}

    static ObjectNode metadata(String key) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("event_type", EVENT);
        metadata.putObject("event_payload").put(KEY, key);
        return metadata;
    }

    /**
     * Looks for a message.
     *
     * @param since before which it can't be
     */
    Found find(String key, Optional<Instant> since) throws ActionFailure, InterruptedException {
        String cursor = "";
        int seen = 0;
        for (int page = 0; page < PAGES && seen < MESSAGES; page++) {
            JsonNode answer = slack.get(query(since, cursor));
            JsonNode messages = answer.path("messages");
            for (JsonNode message : messages) {
                if (isMarked(message, key)) {
                    Posted posted = new Posted(channel, message.path("ts").asString(""), false);
                    return new Found(Optional.of(posted), true);
                }
            }
            seen += messages.size();
            cursor = answer.path("response_metadata").path("next_cursor").asString("");
            if (cursor.isEmpty()) {
                return new Found(Optional.empty(), true);
            }
        }
        return new Found(Optional.empty(), false);
    }

    private Query query(Optional<Instant> since, String cursor) {
        Query query = new Query(thread.isPresent() ? "conversations.replies" : "conversations.history")
                .with("channel", channel)
                .with("limit", OF_PAGE)
                .with("include_all_metadata", "true");
        thread.ifPresent(ts -> query.with("ts", ts));
        since.ifPresent(time -> query.with("oldest", time.getEpochSecond() + ".000000"));
        return cursor.isEmpty() ? query : query.with("cursor", cursor);
    }

    private static boolean isMarked(JsonNode message, String key) {
        JsonNode metadata = message.path("metadata");
        return metadata.path("event_type").asString("").equals(EVENT)
                && metadata.path("event_payload").path(KEY).asString("").equals(key);
    }
}
