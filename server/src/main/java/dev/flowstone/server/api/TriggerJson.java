package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Delivery;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.triggers.event.EventRules;
import dev.flowstone.triggers.schedule.ScheduleRules;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;

/** Triggers and their deliveries as JSON. */
final class TriggerJson {
    private final String basePath;
    private final Clock clock;

    /** @param basePath before webhooks' ids in their addresses */
    TriggerJson(String basePath, Clock clock) {
        this.basePath = requireNonNull(basePath);
        this.clock = requireNonNull(clock);
    }

    /** Whoever may see it sees how many secrets there are, and none of them. */
    JsonObject trigger(Trigger it) {
        return JsonObject.builder()
                .put("id", it.key().id().toString())
                .put(TriggerForm.WORKFLOW, it.target().workflow().value())
                .put(TriggerForm.TYPE, it.kind().word())
                .put(TriggerForm.ENABLED, it.fires())
                .put("configuredEnabled", it.enabled())
                .put("declared", it.config().find(EventRules.DECLARED).isPresent())
                .put("workflowStatus", WorkflowJson.status(it.target().status()))
                .put(TriggerForm.CONFIG, config(it))
                .put(TriggerForm.CONDITION, text(it.condition()))
                .put("url", text(url(it)))
                .put("nextFireAt", text(nextFire(it).map(Instant::toString)))
                .put("revision", it.revision())
                .put("createdAt", it.created().at().toString())
                .put("createdBy", it.created().by().toString())
                .put("updatedAt", it.changed().at().toString())
                .put("updatedBy", it.changed().by().toString())
                .build();
    }

    /** It can be sent back as it is: the secrets stay then. */
    private static JsonObject config(Trigger it) {
        JsonObject.Builder json = JsonObject.builder();
        it.config().members().forEach(json::put);
        if (it.kind() == TriggerKind.WEBHOOK) {
            json.put(
                    TriggerForm.SECRETS,
                    new JsonArray(Collections.<JsonValue>nCopies(it.secrets(), new JsonString(TriggerForm.SET))));
        }
        return json.build();
    }

    private Optional<String> url(Trigger it) {
        return it.kind() == TriggerKind.WEBHOOK
                ? Optional.of(basePath + "/" + it.key().id())
                : Optional.empty();
    }

    /** Of one that fires; one that this node can't read, such as one of a zone that it doesn't know, fires nothing here. */
    private Optional<Instant> nextFire(Trigger it) {
        if (it.kind() != TriggerKind.SCHEDULE || !it.fires()) {
            return Optional.empty();
        }
        try {
            return ScheduleRules.of(it.config()).next(clock.now()).map(Due::at);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    static JsonObject delivery(Delivery it) {
        Arrival arrival = it.arrival();
        return JsonObject.builder()
                .put("id", arrival.id().toString())
                .put("deliveryId", arrival.delivery())
                .put("source", arrival.source().word())
                .put("firedBy", text(arrival.actor().map(Actor::toString)))
                .put("sentAt", text(arrival.sentAt().map(Instant::toString)))
                .put("receivedAt", arrival.receivedAt().toString())
                .put(
                        "status",
                        it.result()
                                .map(Result::outcome)
                                .map(Result.Outcome::toString)
                                .orElse("received"))
                .put("code", text(it.result().flatMap(Result::code)))
                .put("detail", text(it.result().flatMap(Result::detail)))
                .put("executionId", text(it.result().flatMap(Result::run).map(RunId::toString)))
                .build();
    }

    private static JsonValue text(Optional<String> value) {
        return value.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
