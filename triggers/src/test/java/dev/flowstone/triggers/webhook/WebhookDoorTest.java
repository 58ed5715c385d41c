package dev.flowstone.triggers.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.Trigger.Mark;
import dev.flowstone.engine.trigger.Trigger.Target;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSecret;
import dev.flowstone.engine.trigger.Triggers.Armed;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.triggers.webhook.WebhookDoor.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WebhookDoorTest {
    private static final WebhookSecret NEW = WebhookSecret.generate();
    private static final WebhookSecret OLD = WebhookSecret.generate();
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final byte[] BODY = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

    private static Optional<Armed> armed(TriggerKind kind, int seconds, WebhookSecret... secrets) {
        Mark mark = new Mark(NOW, Actor.ENGINE);
        Trigger trigger = new Trigger(
                new TriggerKey(new TenantId("acme"), TriggerId.random()),
                1,
                new Target(new WorkflowId("w"), WorkflowStatus.ACTIVE, true),
                kind,
                true,
                new WebhookRules(Duration.ofSeconds(seconds)).toJson(),
                secrets.length,
                Optional.empty(),
                mark,
                mark);
        return Optional.of(new Armed(
                trigger,
                List.of(secrets).stream()
                        .map(it -> new TriggerSecret(it.text()))
                        .toList()));
    }

    private static Verdict judge(Optional<Armed> armed, WebhookSecret secret, Duration late) {
        List<HttpHeader> headers = WebhookSignature.sign("d-1", NOW.minus(late), BODY, List.of(secret));
        return WebhookDoor.judge(armed, headers, BODY, NOW);
    }

    @Test
    void eachLiveSecretSigns() {
        Optional<Armed> both = armed(TriggerKind.WEBHOOK, 300, NEW, OLD);
        assertEquals(new Verdict.Genuine("d-1", NOW), judge(both, NEW, Duration.ZERO));
        assertEquals(new Verdict.Genuine("d-1", NOW), judge(both, OLD, Duration.ZERO));
        assertEquals(new Verdict.Unproven(), judge(armed(TriggerKind.WEBHOOK, 300, NEW), OLD, Duration.ZERO));
    }

    @Test
    void whatIsLateOrEarlyByMoreThanItMayIsOutOfTime() {
        Optional<Armed> strict = armed(TriggerKind.WEBHOOK, 10, NEW);
        assertInstanceOf(Verdict.Genuine.class, judge(strict, NEW, Duration.ofSeconds(10)));
        assertInstanceOf(Verdict.OutOfTime.class, judge(strict, NEW, Duration.ofSeconds(11)));
        assertInstanceOf(Verdict.OutOfTime.class, judge(strict, NEW, Duration.ofSeconds(-11)));
        assertInstanceOf(
                Verdict.OutOfTime.class, judge(armed(TriggerKind.WEBHOOK, 900, NEW), NEW, Duration.ofHours(1)));
    }

    @Test
    void whatIsNoWebhookIsLikeWhatIsNotThere() {
        assertEquals(new Verdict.Unproven(), judge(Optional.empty(), NEW, Duration.ZERO));
        assertEquals(new Verdict.Unproven(), judge(armed(TriggerKind.MANUAL, 300, NEW), NEW, Duration.ZERO));
        assertEquals(new Verdict.Unproven(), judge(armed(TriggerKind.WEBHOOK, 300), NEW, Duration.ZERO));
    }

    @Test
    void aHeaderThatIsMissingOrThereTwiceProvesNothing() {
        List<HttpHeader> signed = WebhookSignature.sign("d-1", NOW, BODY, List.of(NEW));
        Optional<Armed> armed = armed(TriggerKind.WEBHOOK, 300, NEW);
        for (int i = 0; i < signed.size(); i++) {
            List<HttpHeader> less = new ArrayList<>(signed);
            HttpHeader header = less.remove(i);
            assertEquals(new Verdict.Unproven(), WebhookDoor.judge(armed, less, BODY, NOW));
            List<HttpHeader> more = new ArrayList<>(signed);
            more.add(header);
            assertEquals(new Verdict.Unproven(), WebhookDoor.judge(armed, more, BODY, NOW));
        }
        byte[] other = "{\"a\":2}".getBytes(StandardCharsets.UTF_8);
        assertEquals(new Verdict.Unproven(), WebhookDoor.judge(armed, signed, other, NOW));
    }

    @Test
    void theToleranceIsBounded() {
        for (int seconds : new int[] {9, 901}) {
            Duration tolerance = Duration.ofSeconds(seconds);
            assertThrows(IllegalArgumentException.class, () -> new WebhookRules(tolerance));
        }
        WebhookRules rules = new WebhookRules(Duration.ofSeconds(60));
        assertEquals(rules, WebhookRules.of(rules.toJson()));
    }
}
