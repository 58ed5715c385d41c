package dev.flowstone.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.triggers.event.EventRules;
import dev.flowstone.triggers.schedule.ScheduleRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A configuration that this node can't read, such as one of a time zone that it doesn't know, can be replaced by a whole one. */
final class UnreadableTriggerTest {
    private static Optional<Trigger> there(TriggerKind kind, JsonObject config) {
        Trigger.Mark mark = new Trigger.Mark(Instant.EPOCH, new Actor("user", "ann"));
        return Optional.of(new Trigger(
                new TriggerKey(new TenantId("acme"), TriggerId.random()),
                1,
                new Trigger.Target(new WorkflowId("order"), WorkflowStatus.ACTIVE, true),
                kind,
                true,
                config,
                0,
                Optional.empty(),
                mark,
                mark));
    }

    private static Optional<Trigger> inZone(String zone) {
        return there(
                TriggerKind.SCHEDULE,
                JsonObject.builder()
                        .put(ScheduleRules.CRON, "0 9 * * *")
                        .put(ScheduleRules.ZONE, zone)
                        .put(ScheduleRules.POLICY, "skip")
                        .build());
    }

    private static Fields fields(String json) throws ProblemException {
        return new Body(json.getBytes(UTF_8)).object();
    }

    @Test
    void aScheduleIsReplacedByOneThatSaysItsTimeZone() throws Exception {
        Optional<Trigger> unknown = inZone("Mars/Olympus");
        String whole = """
                {"cron": "0 7 * * *", "timeZone": "Europe/Berlin"}""";
        assertEquals(
                "Europe/Berlin",
                ScheduleForm.rules(fields(whole), unknown).zone().getId());

        for (String part : List.of("{\"cron\": \"0 7 * * *\"}", "{\"timeZone\": \"UTC\"}")) {
            ProblemException refused =
                    assertThrows(ProblemException.class, () -> ScheduleForm.rules(fields(part), unknown));
            assertTrue(String.valueOf(refused.getMessage()).contains("missing"), refused::toString);
        }
    }

    @Test
    void whatIsLeftOutOfAReadableOneStaysAndOfANewOneIsUsual() throws Exception {
        String part = "{\"cron\": \"0 7 * * *\"}";
        assertEquals(
                "Asia/Tokyo",
                ScheduleForm.rules(fields(part), inZone("Asia/Tokyo")).zone().getId());
        assertEquals(
                ScheduleRules.USUAL_ZONE,
                ScheduleForm.rules(fields(part), Optional.empty()).zone().getId());
    }

    @Test
    void anEventTriggerIsReplacedByAWholeOne() throws Exception {
        Optional<Trigger> later = there(
                TriggerKind.EVENT,
                JsonObject.builder().put(EventRules.SOURCE, "elsewhere").build());
        String whole = """
                {"source": "external", "types": ["order.paid"]}""";
        assertEquals(
                EventTriggerForm.config(fields(whole), Optional.empty()),
                EventTriggerForm.config(fields(whole), later));
    }
}
