package dev.flowstone.server.metric;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.DeliveryObserver.Ended;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.Outbox.Pending;
import dev.flowstone.engine.effect.Outbox.Settlement;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each try of a delivery counts once, by where it went and what became of it. */
final class DeliveryMetricsTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    private static final Pending MAIL = new Pending(
            new RunKey(new TenantId("t"), RunId.of(NOW, new Slot(1), 7)),
            new OutboxMessage(3, 0, "mail", JsonObject.EMPTY),
            0);
    private static final Outbox.Evidence EVIDENCE = new Outbox.Evidence(NOW, Duration.ZERO, Optional.empty());

    @Test
    void countsTriesByDestinationAndResult() {
        Meters meters = new Meters();
        EngineMetrics metrics = new EngineMetrics(meters, Clock.SYSTEM);

        metrics.settled(List.of(
                new Ended(new Settlement.Postponed(MAIL, EVIDENCE, NOW, "not now"), Duration.ofSeconds(2)),
                new Ended(new Settlement.Postponed(MAIL, EVIDENCE, NOW, "not now"), Duration.ofSeconds(2))));
        metrics.settled(List.of(
                new Ended(new Settlement.Delivered(MAIL, EVIDENCE), Duration.ofMillis(3)),
                new Ended(
                        new Settlement.Dead(MAIL, EVIDENCE, Outbox.DeathReason.EXHAUSTED, "never"),
                        Duration.ofMillis(3))));

        String text = meters.text("").text();
        assertTrue(
                text.contains("flowstone_outbox_deliveries_total{destination=\"mail\",result=\"postponed\"} 2.0"),
                text);
        assertTrue(
                text.contains("flowstone_outbox_deliveries_total{destination=\"mail\",result=\"delivered\"} 1.0"),
                text);
        assertTrue(text.contains("flowstone_outbox_deliveries_total{destination=\"mail\",result=\"dead\"} 1.0"), text);
        assertTrue(text.contains("flowstone_outbox_delivery_duration_seconds_count{destination=\"mail\"} 4"), text);
    }
}
