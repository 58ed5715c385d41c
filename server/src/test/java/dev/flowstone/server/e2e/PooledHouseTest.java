package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.postgres.PgBouncer;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** cases.md 26: a whole server whose sixteen connections share two sessions of the database for each role. */
final class PooledHouseTest {
    private static final int SESSIONS = 2;
    private static final int ENOUGH = 300;
    private static final String WORKFLOW = """
            {"id": "load", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.delay", "parameters": {"durationMs": 50}, "edges": [{"targetNode": "c"}]},
              {"id": "c", "actionType": "core.echo"}]}""";

    @TempDir
    Path folder = Path.of("");

    @Test
    void everythingGoesOnThroughAProxyThatPoolsByTransaction() throws Exception {
        assumeTrue(PgBouncer.program().isPresent(), PgBouncer.MISSING);
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                PgBouncer proxy = PgBouncer.before(server.config(), SESSIONS, PgBouncer.Sessions.WIPED);
                House house = House.open(folder, settings(proxy.config()), BuiltInActions.registry())) {
            house.publish(WORKFLOW);
            try (SteadyLoad load = SteadyLoad.on(house, "load")) {
                PeopleStories.play(house, 16);
                long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
                while (load.acknowledged() < ENOUGH) {
                    assertTrue(System.nanoTime() < end, () -> load.acknowledged() + " were acknowledged");
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                }
                load.nothingIsLost();
            }
        }
    }

    private static Map<String, String> settings(PostgresConfig through) {
        return Map.of(
                "database.url", through.url(),
                "database.user", through.admin().user(),
                "database.password", through.admin().password(),
                "database.prepare", "false",
                "database.shards", "4");
    }
}
