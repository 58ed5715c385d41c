package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.kernel.id.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The primary's server dies, comes back, its PostgreSQL dies alone, and an operator switches over. Nodes wait and go on by themselves,
 * say meanwhile that they aren't ready, and nothing that was acknowledged before, during or after is lost.
 */
final class PatroniFailoverTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whatWasAcknowledgedOutlivesItsServer() throws Exception {
        assumeTrue(
                DatabasePair.missing().isEmpty(), () -> DatabasePair.missing().orElseThrow());
        try (NodesOnPair nodes = NodesOnPair.open(folder)) {
            DatabasePair pair = nodes.pair();
            nodes.untilMoreIsAcknowledged();
            List<RunId> naps = nodes.naps("before");

            long begun = System.nanoTime();
            String dead = pair.killLeader();
            nodes.untilEach(
                    "it says that it isn't ready", house -> house.health().status() == 503);
            NodesOnPair.told("the primary's server died: no node was ready", begun);
            nodes.untilMoreIsAcknowledged();
            NodesOnPair.told("every node had its callers' runs again", begun);
            nodes.untilEach("it is ready again", house -> house.health().status() == 200);
            NodesOnPair.told("every node was ready again", begun);
            assertNotEquals(dead, pair.leader().orElseThrow());
            naps.addAll(nodes.naps("after"));

            begun = System.nanoTime();
            pair.start(dead);
            pair.awaitWhole();
            NodesOnPair.told("the server came back: it was a standby with all that there is", begun);

            naps.addAll(nodes.naps("planned"));
            begun = System.nanoTime();
            pair.switchover();
            nodes.untilMoreIsAcknowledged();
            NodesOnPair.told("an operator switched over: every node had its callers' runs again", begun);
            pair.awaitWhole();
            assertEquals(dead, pair.leader().orElseThrow(), "the one that had died is the primary again");

            begun = System.nanoTime();
            pair.killLeadingPostgres();
            nodes.untilMoreIsAcknowledged();
            NodesOnPair.told("PostgreSQL died alone: every node had its callers' runs again", begun);

            nodes.nothingIsLost(naps);
        }
    }
}
