package dev.flowstone.server.api;

import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.Mark;
import dev.flowstone.engine.subscription.SubscriptionWork.Lag;
import dev.flowstone.engine.subscription.Subscriptions.Done;
import dev.flowstone.engine.subscription.Subscriptions.Standing;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Subscriptions as JSON. */
final class SubscriptionJson {
    private SubscriptionJson() {}

    /** In a list. */
    static JsonObject.Builder of(Standing standing, String cursor, Optional<Lag> lag, Instant now) {
        Subscription it = standing.subscription();
        List<StreamCursor> cursors = standing.cursors();
        return JsonObject.builder()
                .put("name", it.key().name().value())
                .put("revision", it.revision())
                .put("sink", sink(it.wish().sink()))
                .put("filter", filter(it))
                .put("state", it.state().name().toLowerCase(Locale.ROOT))
                .put("reason", text(it.reason()))
                .put("cursor", cursor)
                .put("behind", behind(lag, now))
                .put(
                        "delivered",
                        cursors.stream().mapToLong(StreamCursor::delivered).sum())
                .put(
                        "failingSince",
                        text(cursors.stream()
                                .flatMap(one -> one.failingSince().stream())
                                .min(Comparator.naturalOrder())
                                .map(Instant::toString)))
                .put("lastError", lastError(cursors))
                .put(
                        "blocked",
                        texts(cursors.stream()
                                .flatMap(one -> one.blocked().stream())
                                .map(Blocked::event)))
                .put("created", mark(it.created()))
                .put("changed", mark(it.changed()));
    }

    private static JsonObject sink(SinkAddress address) {
        return JsonObject.builder().put(address.kind(), address.target()).build();
    }

    private static JsonObject filter(Subscription it) {
        return JsonObject.builder()
                .put("types", texts(it.wish().types().stream().sorted()))
                .put("workflows", texts(it.wish().workflows().stream().sorted().map(WorkflowId::value)))
                .build();
    }

    private static JsonObject behind(Optional<Lag> lag, Instant now) {
        return JsonObject.builder()
                .put("rows", lag.map(Lag::rows).<JsonValue>map(JsonNumber::of).orElse(JsonNull.NULL))
                .put(
                        "seconds",
                        lag.flatMap(Lag::oldest)
                                .<JsonValue>map(since -> JsonNumber.of(
                                        Math.max(0, Duration.between(since, now).toSeconds())))
                                .orElse(JsonNull.NULL))
                .build();
    }

    private static JsonValue lastError(List<StreamCursor> cursors) {
        return cursors.stream()
                .flatMap(one -> one.failure().stream())
                .max(Comparator.comparing(Failure::at))
                .<JsonValue>map(failure -> JsonObject.builder()
                        .put("at", failure.at().toString())
                        .put("error", failure.error())
                        .build())
                .orElse(JsonNull.NULL);
    }

    private static JsonObject mark(Mark mark) {
        return JsonObject.builder()
                .put("at", mark.at().toString())
                .put("by", mark.by().toString())
                .build();
    }

    /** What was done. */
    static JsonArray deeds(List<Done> deeds) {
        return new JsonArray(deeds.stream()
                .<JsonValue>map(done -> JsonObject.builder()
                        .put("deed", done.what())
                        .put("at", done.at().toString())
                        .put("actor", done.deed().actor().toString())
                        .put("detail", done.detail())
                        .put("reason", done.deed().reason())
                        .build())
                .toList());
    }

    private static JsonArray texts(Stream<String> texts) {
        return new JsonArray(texts.<JsonValue>map(JsonString::new).toList());
    }

    private static JsonValue text(Optional<String> value) {
        return value.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
