package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.journal.JournalException.UnknownOutcome;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database that dies in the middle (cases.md 25): what was acknowledged is there, what wasn't is there or not, once. */
final class ServerCrashTest {
    private Path directory;
    private EmbeddedPostgres server;
    private PostgresPorts ports;

    /** The fields are filled before each test. */
    @SuppressWarnings("NullAway.Init")
    ServerCrashTest() {}

    @BeforeEach
    void start() throws Exception {
        directory = TestFiles.directory("flowstone-crash-");
        server = EmbeddedPostgres.start(EmbeddedConfig.in(directory).withSharedBuffers(32));
        ports = PostgresPorts.open(server.config());
    }

    @AfterEach
    void stop() {
        ports.close();
        server.close();
        TestFiles.delete(directory);
    }

    /** A run's true number, asked until the database is back. */
    private StoredRun read(Lease lease, RunKey key) {
        while (true) {
            try {
                Map<RunKey, StoredRun> found =
                        ports.ports().journal().load(lease.shard().id(), List.of(key));
                return Optional.ofNullable(found.get(key)).orElseThrow();
            } catch (JournalException e) {
                assertTrue(e instanceof Unavailable, () -> "a read that failed: " + e);
            }
        }
    }

    @Test
    void acknowledgedMovesSurviveAndUnknownOnesAreThereOnceOrNot() throws Exception {
        Lease lease = ports.ports()
                .leases()
                .acquire(new ShardId(0), "test", Duration.ofMinutes(10))
                .orElseThrow();
        List<RunKey> keys = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            keys.add(Moves.run(lease));
        }
        long acknowledged = 0;
        int failures = 0;
        for (int round = 0; failures < 3 && round < 20_000; round++) {
            long expected = acknowledged;
            if (round % 200 == 100) {
                Thread.ofPlatform().start(() -> TestProcesses.kill(server.processId()));
            }
            try {
                List<RunMove> moves =
                        keys.stream().map(key -> Moves.plain(key, expected)).toList();
                assertEquals(
                        20,
                        ports.ports()
                                .journal()
                                .commit(Moves.commit(lease, moves))
                                .moved()
                                .size());
                acknowledged++;
            } catch (Unavailable | UnknownOutcome e) {
                failures++;
                long stored = read(lease, keys.getFirst()).lastSequence();
                boolean applied = e instanceof UnknownOutcome && stored == expected + 1;
                assertTrue(stored == expected || applied, () -> stored + " stored after " + expected + ": " + e);
                acknowledged = stored;
            }
        }
        assertTrue(failures >= 2, "the server was killed between commits only; " + failures);
        for (RunKey key : keys) {
            StoredRun run = read(lease, key);
            assertEquals(acknowledged, run.lastSequence());
            assertEquals(acknowledged, run.tail().size(), "every entry once");
        }
    }
}
