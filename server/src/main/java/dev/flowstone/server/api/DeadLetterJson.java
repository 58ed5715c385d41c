package dev.flowstone.server.api;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.effect.OutboxControl.Entry;
import dev.flowstone.engine.effect.OutboxControl.Story;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Dead letters as JSON, those of the outbox in the same form. */
final class DeadLetterJson {
    private DeadLetterJson() {}

    /** In a list. */
    static JsonObject letter(DeadLetter letter) {
        return known(letter).build();
    }

    private static JsonObject.Builder known(DeadLetter letter) {
        return JsonObject.builder()
                .put("id", Long.toString(letter.id()))
                .put("source", letter.source().name())
                .put("reason", letter.reason().name())
                .put("state", letter.state().name().toLowerCase(Locale.ROOT))
                .put("attempts", letter.attempts())
                .put("executionId", text(letter.run().map(Object::toString)))
                .put("lastError", letter.error())
                .put("enqueuedAt", letter.enqueuedAt().toString())
                .put("failedAt", letter.failedAt().toString())
                .put("dueAt", text(letter.dueAt().map(Object::toString)));
    }

    /** With everything. */
    static JsonObject whole(DeadLetter letter, List<Done> deeds, String queue) {
        return known(letter)
                .put("queue", queue)
                .put("payload", letter.payload())
                .put("deeds", deeds(deeds))
                .build();
    }

    /** A message of the outbox that is dead: it came among the dead letters when it failed last. */
    static JsonObject effect(Entry entry) {
        return known(entry).build();
    }

    private static JsonObject.Builder known(Entry entry) {
        JsonValue failed = text(entry.failedAt().map(Object::toString));
        return JsonObject.builder()
                .put("id", entry.key().text())
                .put("source", DeadSource.EFFECT.name())
                .put("reason", text(entry.reason().map(Enum::name)))
                .put("state", "dead")
                .put("attempts", entry.attempts())
                .put("executionId", entry.key().run().run().toString())
                .put("lastError", text(entry.error()))
                .put("enqueuedAt", failed)
                .put("failedAt", failed)
                .put("dueAt", JsonNull.NULL)
                .put("destination", entry.destination());
    }

    /** With everything. */
    static JsonObject whole(Entry entry, Story story, String queue) {
        return known(entry)
                .put("queue", queue)
                .put("payload", story.content().<JsonValue>map(it -> it).orElse(JsonNull.NULL))
                .put("deeds", deeds(story.deeds()))
                .build();
    }

    private static JsonArray deeds(List<Done> deeds) {
        return new JsonArray(deeds.stream()
                .<JsonValue>map(done -> JsonObject.builder()
                        .put("deed", done.act().name().toLowerCase(Locale.ROOT))
                        .put("at", done.at().toString())
                        .put("actor", done.deed().actor().toString())
                        .put("comment", done.deed().reason())
                        .build())
                .toList());
    }

    private static JsonValue text(Optional<String> value) {
        return value.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
