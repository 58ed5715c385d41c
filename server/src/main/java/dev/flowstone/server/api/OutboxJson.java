package dev.flowstone.server.api;

import dev.flowstone.engine.effect.OutboxControl.Attempt;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.effect.OutboxControl.Entry;
import dev.flowstone.engine.effect.OutboxControl.State;
import dev.flowstone.engine.effect.OutboxControl.Story;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Locale;
import java.util.Optional;

/** Messages of the outbox as JSON. */
final class OutboxJson {
    private static final String MESSAGE = "message";
    private static final String EXECUTION = "executionId";
    private static final String DESTINATION = "destination";
    private static final String STATE = "state";
    private static final String ATTEMPTS = "attempts";
    private static final String ERROR = "error";

    private OutboxJson() {}

    /** In a list. */
    static JsonObject entry(Entry entry) {
        return known(entry).build();
    }

    private static JsonObject.Builder known(Entry entry) {
        return named(entry.key())
                .put(DESTINATION, entry.destination())
                .put(STATE, word(entry.state()))
                .put(ATTEMPTS, entry.attempts())
                .put(
                        "dueAt",
                        entry.state() == State.PENDING
                                ? new JsonString(entry.dueAt().toString())
                                : JsonNull.NULL)
                .put("death", text(entry.reason().map(Enum::name)))
                .put(ERROR, text(entry.error()))
                .put("failedAt", text(entry.failedAt().map(Object::toString)));
    }

    private static JsonObject.Builder named(OutboxKey key) {
        return JsonObject.builder()
                .put(MESSAGE, key.text())
                .put(EXECUTION, key.run().run().toString());
    }

    /** With everything. */
    static JsonObject story(OutboxKey key, Story story) {
        JsonObject.Builder json = story.entry()
                .map(OutboxJson::known)
                .orElseGet(() -> named(key)
                        .put(STATE, word(State.GONE))
                        .put(
                                ATTEMPTS,
                                story.attempts().stream()
                                        .findFirst()
                                        .map(Attempt::attempt)
                                        .orElse(0))
                        .put(
                                DESTINATION,
                                text(story.attempts().stream().findFirst().map(Attempt::destination))));
        return json.put("content", story.content().<JsonValue>map(it -> it).orElse(JsonNull.NULL))
                .put(
                        "evidence",
                        new JsonArray(story.attempts().stream()
                                .<JsonValue>map(OutboxJson::attempt)
                                .toList()))
                .put(
                        "deeds",
                        new JsonArray(story.deeds().stream()
                                .<JsonValue>map(OutboxJson::done)
                                .toList()))
                .build();
    }

    private static JsonObject attempt(Attempt attempt) {
        return JsonObject.builder()
                .put("attempt", attempt.attempt())
                .put("begunAt", attempt.begunAt().toString())
                .put("tookMs", attempt.took().toMillis())
                .put("outcome", word(attempt.outcome()))
                .put("status", attempt.status().<JsonValue>map(JsonNumber::of).orElse(JsonNull.NULL))
                .put(ERROR, text(attempt.error()))
                .build();
    }

    private static JsonObject done(Done done) {
        return JsonObject.builder()
                .put("deed", word(done.act()))
                .put("at", done.at().toString())
                .put("actor", done.deed().actor().toString())
                .put("reason", done.deed().reason())
                .build();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static JsonValue text(Optional<String> value) {
        return value.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
