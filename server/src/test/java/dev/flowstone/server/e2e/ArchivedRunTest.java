package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveReport;
import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.ArchiveVerifier;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.node.ArchiveAccess;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers of a running server see of runs that have left with their month. */
final class ArchivedRunTest {
    private static final String LARGE = "x".repeat(100_000);
    private static final String DEFINITION = """
            {"id": "old", "displayName": "Old", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "parameters": {"said": "{{trigger.word}}"},
               "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo"}]}
            """;

    @TempDir
    Path data = Path.of("");

    @TempDir
    Path folder = Path.of("");

    @Test
    void aRunningServerTellsWhereARunHasGoneAndGoesOn() throws Exception {
        try (House house = House.open(data)) {
            house.publish(DEFINITION);
            RunRow row = house.run("old", "{\"trigger\": {\"word\": \"" + LARGE + "\"}, \"requestId\": \"once\"}");
            RunId old;
            try (Connection superuser = superuser()) {
                old = OldMonth.in(superuser).copy(row.key().run());
            }
            house.get("/executions/" + old).expect(200);

            ArchiveResult.Archived archived = archive();

            assertEquals(1, archived.record().runs());
            try (InputStream file = Files.newInputStream(archived.file())) {
                ArchiveReport report = ArchiveVerifier.verify(file, ArchiveVerifier.Listener.NONE);
                assertTrue(report.whole(), report::toString);
                assertTrue(report.totals().orElseThrow().payloads() > 0, "what is too large for an event comes along");
            }
            for (String path : new String[] {"", "/graph", "/timers", "/children"}) {
                Answer gone = house.get("/executions/" + old + path).expect(410);
                assertEquals("EXECUTION_ARCHIVED", gone.text("code"));
                assertTrue(gone.text("detail").contains(archived.record().file()), gone.text());
            }
            house.post("/executions/" + old + "/cancel", "{\"reason\": \"late\"}")
                    .expect(410);
            house.get("/executions/01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d").expect(404);
            assertFalse(house.get("/executions").expect(200).text().contains(old.toString()));
            assertTrue(house.verifier().all().whole());
            readersPassItBy(house, row);
            house.get("/executions/" + row.key().run()).expect(200);
            house.run("old", "{\"trigger\": {\"word\": \"again\"}}");
            assertTrue(house.verifier().all().whole());
        }
    }

    /** Whoever reads all events from the beginning comes across it in the feed. */
    private static void readersPassItBy(House house, RunRow before) throws Exception {
        RunRow after = house.run("old", "{\"trigger\": {\"word\": \"after\"}}");
        int events = (int) (before.lastSequence() + after.lastSequence());
        try (EventClient client = EventClient.connect(house.port(), "?from=begin")) {
            client.until(events);
            assertTrue(client.events().stream()
                    .map(event -> event.get("run_id"))
                    .allMatch(run -> run instanceof JsonString id
                            && (id.value().equals(before.key().run().toString())
                                    || id.value().equals(after.key().run().toString()))));
        }
    }

    private ArchiveResult.Archived archive() throws Exception {
        try (ArchiveAccess access = ArchiveAccess.open(House.config(data, Map.of()))) {
            return assertInstanceOf(
                    ArchiveResult.Archived.class,
                    access.archiver().archive(OldMonth.MONTH, Instant.now(), folder, ArchiveStage.Listener.NONE));
        }
    }

    private Connection superuser() throws Exception {
        PostgresConfig config =
                EmbeddedPostgres.running(EmbeddedConfig.in(data)).orElseThrow();
        return DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
    }
}
