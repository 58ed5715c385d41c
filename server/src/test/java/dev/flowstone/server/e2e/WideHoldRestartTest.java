package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds a scope holds it after a restart, and a release wakes what waits, on PostgreSQL (R25). */
final class WideHoldRestartTest {
    private static final int RUNS = 20;
    private static final String ECHO = """
            {"id": "ID", "displayName": "W", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""";
    private static final String HELD = "{\"scope\": \"workflow\", \"workflowId\": \"held\", \"reason\": \"audit\"}";

    @TempDir
    Path data = Path.of("");

    private static RunRow row(House house, RunId run) throws Exception {
        return house.flowstone().ports().runs().run(House.TENANT, run).orElseThrow();
    }

    @Test
    void aHeldWorkflowStaysHeldOverARestartAndGoesOnWhenItIsResumed() throws Exception {
        List<RunId> held = new ArrayList<>();
        try (House house = House.open(data)) {
            house.publish(ECHO.replace("ID", "held"));
            house.publish(ECHO.replace("ID", "free"));
            house.post("/control/suspend", HELD).expect(200);
            for (int i = 0; i < RUNS; i++) {
                held.add(house.start("held", "{}"));
            }
            assertEquals(
                    RunStatus.SUCCEEDED, house.await(house.start("free", "{}")).status());
        }
        try (House house = House.open(data)) {
            assertEquals(
                    RunStatus.SUCCEEDED, house.await(house.start("free", "{}")).status());
            held.add(house.start("held", "{}"));
            for (RunId run : held) {
                assertFalse(row(house, run).status().isFinal());
            }

            house.post("/control/resume", HELD).expect(200);
            for (RunId run : held) {
                assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
                assertEquals(1, house.history(row(house, run)).count(ControlEvent.HoldLifted.class));
            }
            assertTrue(house.verifier().all().whole());
        }
    }
}
