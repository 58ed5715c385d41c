package dev.flowstone.engine.effect;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Links in messages: {@code "links": [{"type", "key", "content"}]}, left out if there are none. */
final class LinksJson {
    private static final String MEMBER = "links";

    private LinksJson() {}

    static JsonObject.Builder put(JsonObject.Builder out, List<TaskResult.Link> links) {
        if (links.isEmpty()) {
            return out;
        }
        List<JsonValue> items = new ArrayList<>(links.size());
        for (TaskResult.Link link : links) {
            items.add(JsonObject.builder()
                    .put("type", link.type())
                    .put("key", link.key())
                    .put("content", link.content())
                    .build());
        }
        return out.put(MEMBER, new JsonArray(items));
    }

    static List<TaskResult.Link> read(JsonObject content) {
        return content.get(MEMBER) == null ? List.of() : JsonCursor.of(content).list(MEMBER, LinksJson::link);
    }

    private static TaskResult.Link link(JsonCursor at) {
        return new TaskResult.Link(
                at.string("type"), at.string("key"), at.member("content").value());
    }
}
