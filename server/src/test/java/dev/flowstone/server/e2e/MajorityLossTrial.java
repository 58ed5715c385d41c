package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.kernel.id.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two of three members of etcd die, so that nobody can say who is primary: Patroni makes the primary a standby, no node is ready, none
 * acknowledges anything; when they are back, all goes on by itself, and nothing is lost. It takes longer than the check has time for, and runs
 * when it is named: {@code -Dtest=MajorityLossTrial}.
 */
final class MajorityLossTrial {
    @TempDir
    Path folder = Path.of("");

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingIsAcknowledgedWhileNobodyCanSayWhoIsPrimary() throws Exception {
        assumeTrue(
                DatabasePair.missing().isEmpty(), () -> DatabasePair.missing().orElseThrow());
        try (NodesOnPair nodes = NodesOnPair.open(folder)) {
            DatabasePair pair = nodes.pair();
            nodes.untilMoreIsAcknowledged();
            List<RunId> naps = nodes.naps("before");

            long begun = System.nanoTime();
            pair.killMajority();
            nodes.untilEach(
                    "it says that it isn't ready", house -> house.health().status() == 503);
            NodesOnPair.told("two of three members of etcd died: no node was ready", begun);
            int acknowledged = nodes.acknowledged();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (System.nanoTime() < end) {
                nodes.assertEachSays(503);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
            assertEquals(acknowledged, nodes.acknowledged(), "nobody is told of anything while there is no primary");

            begun = System.nanoTime();
            pair.startMajority();
            nodes.untilMoreIsAcknowledged();
            NodesOnPair.told("etcd was back: every node had its callers' runs again", begun);
            nodes.untilEach("it is ready again", house -> house.health().status() == 200);
            naps.addAll(nodes.naps("after"));
            pair.awaitWhole();
            NodesOnPair.told("the pair was whole again", begun);

            nodes.nothingIsLost(naps);
        }
    }
}
