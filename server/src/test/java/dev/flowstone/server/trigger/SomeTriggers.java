package dev.flowstone.server.trigger;

import dev.flowstone.engine.trigger.EventTriggers.Listening;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Logs;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Event triggers of one tenant that want the engine's events. */
final class SomeTriggers {
    private SomeTriggers() {}

    /** One that wants all of them. */
    static Trigger trigger() {
        return of("*");
    }

    static Trigger of(String... types) {
        Trigger.Mark mark = new Trigger.Mark(Instant.EPOCH, Actor.ENGINE);
        return new Trigger(
                new TriggerKey(Logs.TENANT, TriggerId.random()),
                1,
                new Trigger.Target(new WorkflowId("order"), WorkflowStatus.ACTIVE, true),
                TriggerKind.EVENT,
                true,
                JsonObject.builder()
                        .put("source", "engine")
                        .put(
                                "types",
                                new JsonArray(Arrays.stream(types)
                                        .<JsonValue>map(JsonString::new)
                                        .toList()))
                        .build(),
                0,
                Optional.empty(),
                mark,
                mark);
    }

    static Listeners listeners(Trigger... triggers) {
        return Listeners.of(
                Arrays.stream(triggers).map(it -> new Listening(it, Map.of())).toList());
    }
}
