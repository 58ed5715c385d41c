package dev.flowstone.server.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.node.ReadAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A long run of everything ({@link MixedPrograms}) whose server gets SIGKILL twenty times at random moments, while it opens,
 * takes up its runs or works, four of them with PostgreSQL, comes to the same as one that nobody disturbs: status, output,
 * variables, the visits of each branch and their outcomes, decisions, children, compensations; and each effect happened once
 * on the other side.
 */
final class MixedRunKillTest {
    private static final TenantId TENANT = LoopbackCallers.DEFAULT_TENANT;
    private static final String CALM = "calm";
    private static final int KILLS = 20;
    private static final Set<Integer> WITH_DATABASE = Set.of(4, 9, 14, 19);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final long seed = Long.getLong("flowstone.kill.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    Path directory = Path.of("");

    private Optional<ServerProcess> running = Optional.empty();

    /** A test that failed leaves nothing behind. */
    @AfterEach
    void end() throws Exception {
        if (running.isPresent()) {
            running.get().kill();
            running.get().killDatabase();
        }
    }

    private ServerProcess launch() throws Exception {
        ServerProcess server = ServerProcess.launch(directory, MixedServer.class);
        running = Optional.of(server);
        return server;
    }

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void aRunKilledTwentyTimesComesToTheSameAsAnUndisturbedOne() throws Exception {
        MixedDriver calm = new MixedDriver(List.of(CALM));
        ServerProcess server = launch();
        server.awaitReady();
        finish(server, List.of(calm));

        List<MixedDriver> killed = new ArrayList<>();
        for (int kill = 1; kill <= KILLS; kill++) {
            if (killed.isEmpty() || killed.getLast().allEnded()) {
                // Each kill meets a run that is under way.
                killed.add(new MixedDriver(List.of("killed-" + kill)));
            }
            disturb(server, killed.getLast());
            server.kill();
            if (WITH_DATABASE.contains(kill)) {
                server.killDatabase();
            }
            server = launch();
        }
        server.awaitReady();
        finish(server, killed);
        assertEquals(143, server.stop(), message("exit code after SIGTERM"));
        running = Optional.empty();

        Map<String, String> runs = new TreeMap<>();
        killed.forEach(driver -> runs.putAll(driver.runs()));
        compare(calm.runs().get(CALM) + "", runs);
    }

    /** Drives the runs until the moment of the kill: from before the server is ready to nearly a second later. */
    private void disturb(ServerProcess server, MixedDriver driver) throws Exception {
        long left = Duration.ofMillis(random.nextInt(900)).toNanos();
        if (random.nextInt(4) > 0) {
            server.awaitReady();
        }
        long end = System.nanoTime() + left;
        while (System.nanoTime() < end) {
            if (server.isReady()) {
                driver.pass(server.url());
            }
            pause(Duration.ofMillis(5 + random.nextInt(20)));
        }
    }

    private void finish(ServerProcess server, List<MixedDriver> drivers) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (MixedDriver driver : drivers) {
            driver.pass(server.url());
            while (!driver.allEnded()) {
                assertTrue(System.nanoTime() < end, () -> message("not ended: " + driver.told()));
                pause(Duration.ofMillis(20));
                driver.pass(server.url());
            }
        }
    }

    private void compare(String calm, Map<String, String> killed) throws Exception {
        try (ReadAccess access = ReadAccess.open(LedgerServer.config(ServerProcess.data(directory)))) {
            ChainReport report = access.verifier().all();
            assertTrue(report.whole(), () -> message("chains: " + report));
            Set<String> keys = new TreeSet<>();
            List<String> expected = lines(access, RunId.parse(calm), keys);
            assertTrue(expected.size() > 20, () -> message("an undisturbed run that did little: " + expected));
            for (Map.Entry<String, String> run : killed.entrySet()) {
                same(expected, lines(access, RunId.parse(run.getValue()), keys), run.getKey());
            }
            same(
                    keys,
                    Witness.in(ServerProcess.ledger(directory)).keys(),
                    "effects that the runs know of, and those that happened");
        }
    }

    /** Tells only what differs. */
    private void same(Collection<String> expected, Collection<String> actual, String what) {
        List<String> missing = new ArrayList<>(expected);
        actual.forEach(missing::remove);
        List<String> extra = new ArrayList<>(actual);
        expected.forEach(extra::remove);
        assertEquals(String.join("\n", missing), String.join("\n", extra), message(what));
    }

    /** Of a run and its children; and the keys of all their effects. */
    private static List<String> lines(ReadAccess access, RunId run, Set<String> keys) throws Exception {
        RunRow row = access.runs().run(TENANT, run).orElseThrow();
        Portrait portrait = new Portrait(
                Kernel.initial(access.programs().program(TENANT, row.program()).program(), row.program()));
        access.history().replay(TENANT, run, 1, portrait::add);
        for (String key : portrait.keysOfEffects()) {
            assertTrue(keys.add(key), () -> "two effects have the key " + key);
        }
        List<String> lines = new ArrayList<>(portrait.lines());
        for (Map.Entry<String, MessageEvent.ChildEnded> child :
                portrait.children().entrySet()) {
            for (String line : lines(access, child.getValue().child(), keys)) {
                lines.add(child.getKey() + " | " + line);
            }
        }
        return lines;
    }

    private String message(String what) {
        return what + " (seed " + seed + ", logs in " + directory + ")";
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
