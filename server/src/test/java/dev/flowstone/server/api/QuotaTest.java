package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** enterprise.md §12 and appendix A: over quota is {@code external_limit}, and says when to come back. */
final class QuotaTest {
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture(Map.of("quota.startsPerSecond", "1000", "quota.tenantStarts", "held = 0.01"));
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static Answer start(String tenant) throws Exception {
        return rest.post("/api/v1/workflows/echo/execute", "{}", "Flowstone-Tenant", tenant);
    }

    private static void publish(String tenant) throws Exception {
        rest.post("/api/v1/workflows", Samples.echo("echo"), "Flowstone-Tenant", tenant);
        rest.post("/api/v1/workflows/echo/publish", "", "Flowstone-Tenant", tenant);
    }

    @Test
    void aTenantBeyondItsRateIsToldWhenToComeBackAndOthersAreNotHeldUp() throws Exception {
        publish("held");
        publish("free");

        assertEquals(202, start("held").status());
        Answer over = start("held");

        assertEquals(429, over.status());
        assertEquals("QUOTA_EXCEEDED", over.text("/code"));
        assertEquals("external_limit", over.text("/category"));
        assertTrue(
                over.text("/detail").contains("tenant held starts at most 0.01 executions a second"), over::toString);
        long wait = Long.parseLong(
                over.response().headers().firstValue("Retry-After").orElseThrow());
        assertTrue(wait > 90 && wait <= 100, "Retry-After: " + wait);
        assertEquals(202, start("free").status());
    }
}
