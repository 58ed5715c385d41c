package dev.flowstone.server.api;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.timeline.EventCategories;
import dev.flowstone.server.timeline.EventLevel;
import dev.flowstone.server.timeline.Line;
import dev.flowstone.server.timeline.Speakers;
import dev.flowstone.server.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events with what a reader wants to know of each at a glance: how much it matters, whose it is, in words, how its conditions came
 * out, and with which outcome which edges were taken. Not thread-safe: one for each page, told in order.
 */
final class Annotations {
    private final Timeline timeline = new Timeline();
    private final Speakers speakers;
    private final EventCategories categories;

    /** Of a page whose first event these speakers are ready for. */
    Annotations(Speakers speakers, EventCategories categories) {
        this.speakers = speakers;
        this.categories = categories;
    }

    JsonObject of(Event event) {
        Actor speaker = speakers.of(event);
        List<JsonValue> lines = new ArrayList<>();
        for (Line line : timeline.lines(event, speaker)) {
            lines.add(new JsonString(text(line)));
        }
        JsonObject.Builder annotations = JsonObject.builder()
                .put("level", EventLevel.of(event).word())
                .put("category", categories.of(event))
                .put("summary", new JsonArray(lines));
        switch (event.body()) {
            case EventBody.Transitioned it ->
                annotations
                        .put("nodeId", it.activation().node().value())
                        .put("outcome", it.outcome().name())
                        .put(
                                "taken",
                                new JsonArray(it.taken().stream()
                                        .<JsonValue>map(edge -> new JsonString(edge.value()))
                                        .toList()))
                        .put(
                                "conditions",
                                new JsonArray(it.conditions().stream()
                                        .<JsonValue>map(Annotations::condition)
                                        .toList()));
            case HumanEvent.HumanDecided it ->
                annotations
                        .put("nodeId", it.activation().node().value())
                        .put("outcome", it.outcome().name())
                        .put("by", speaker.toString());
            case HumanEvent.HumanTaskSettled it ->
                annotations
                        .put("nodeId", it.activation().node().value())
                        .put("outcome", it.outcome().name())
                        .put("settledBy", it.how().name());
            default -> {
                // Its summary says it all.
            }
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(EventJson.of(event).members());
        members.put("annotations", annotations.build());
        return JsonObject.of(members);
    }

    private static JsonObject condition(EvaluatedCondition condition) {
        return JsonObject.builder()
                .put("edge", condition.edge().value())
                .put("expression", condition.expression())
                .put("result", JsonBoolean.of(condition.result()))
                .put("read", condition.read())
                .put(
                        "error",
                        condition
                                .error()
                                .<JsonValue>map(error -> JsonObject.builder()
                                        .put("code", error.code())
                                        .put("message", error.message())
                                        .build())
                                .orElse(JsonNull.NULL))
                .build();
    }

    private static String text(Line line) {
        StringBuilder text = new StringBuilder();
        for (String part : List.of(line.node(), line.what(), line.detail().orElse(""))) {
            if (!part.isEmpty()) {
                text.append(text.isEmpty() ? "" : " ").append(part);
            }
        }
        return text.toString();
    }
}
