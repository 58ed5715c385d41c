package dev.flowstone.server.trigger;

import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Open ticks, each of a trigger of its own. */
final class OpenTickExamples {
    private OpenTickExamples() {}

    static OpenTick tick(String tenant, int slot, Instant claimedAt, Optional<Instant> firstTried) {
        Trigger.Mark mark = new Trigger.Mark(claimedAt, new Actor("user", "ann"));
        Trigger trigger = new Trigger(
                new TriggerKey(new TenantId(tenant), TriggerId.random()),
                1,
                new Trigger.Target(new WorkflowId("order"), WorkflowStatus.ACTIVE, true),
                TriggerKind.SCHEDULE,
                true,
                JsonObject.builder()
                        .put("cron", "0 9 * * *")
                        .put("timeZone", "UTC")
                        .put("missedFirePolicy", "skip")
                        .build(),
                0,
                Optional.empty(),
                mark,
                mark);
        Instant tick = claimedAt.truncatedTo(ChronoUnit.SECONDS);
        return new OpenTick(
                Optional.of(trigger),
                Arrival.tick(trigger.key(), tick, claimedAt),
                tick,
                new Slot(slot),
                firstTried.isPresent() ? 1 : 0,
                firstTried);
    }

    static OpenTick unreadable(OpenTick tick) {
        return new OpenTick(
                Optional.empty(), tick.arrival(), tick.tick(), tick.slot(), tick.tries(), tick.firstTried());
    }
}
