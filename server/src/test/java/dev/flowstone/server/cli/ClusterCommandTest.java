package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line tells of the nodes of an installation. */
final class ClusterCommandTest {
    private static final Pattern SHARD = Pattern.compile("\\{[^{}]*\"firstSlot\":[^{}]*}");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aServerThatSharesWithNobodySaysSo() throws Exception {
        try (RemoteServer server = RemoteServer.on(List.of("--set", "database.shards=2"))) {
            Said said = server.done("cluster");

            assertTrue(said.out().startsWith("One node, which shares its shards with nobody"), said::toString);
            assertTrue(said.out().contains("TIMERS LATE SECONDS"), said::toString);
            assertEquals(
                    2,
                    said.out().lines().filter(line -> line.contains("RUNNING")).count(),
                    said::toString);
        }
    }

    /** It is stopped, not ended: its leases hold for a minute, and nobody knows how it fares. */
    @Test
    void aNodeThatDoesNotAnswerIsShownWithoutItsLag() throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        try (EmbeddedPostgres database = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                RemoteServer one = RemoteServer.on(options("one", database.config(), certificates));
                RemoteServer two = RemoteServer.on(options("two", database.config(), certificates))) {
            Said both = one.until(
                    said -> shards(said).stream().allMatch(ClusterCommandTest::tellsItsLag)
                            && shards(said).stream().anyMatch(shard -> shard.contains("\"node\":\"two\"")),
                    "cluster",
                    "--json");
            assertEquals(4, shards(both).size(), both::toString);
            Said tables = two.done("cluster");
            assertTrue(tables.out().startsWith("NODE"), tables::toString);
            for (String words :
                    List.of("ADDRESS", "RELEASE", "SINCE", "EPOCH", "WAITING", "LEASE SECONDS", "one", "two")) {
                assertTrue(tables.out().contains(words), tables::toString);
            }

            two.signal("STOP");
            try {
                Said said = one.done("cluster", "--json");
                for (String shard : shards(said)) {
                    assertTrue(shard.contains("\"epoch\":") && shard.contains("\"leaseSeconds\":"), said::toString);
                    assertEquals(shard.contains("\"node\":\"one\""), tellsItsLag(shard), said::toString);
                }
                assertFalse(shards(said).stream().allMatch(ClusterCommandTest::tellsItsLag), said::toString);
                assertTrue(one.done("cluster").out().contains("two"), "it is there all the same");
            } finally {
                two.signal("CONT");
            }
        }
    }

    private static List<String> shards(Said said) {
        return SHARD.matcher(said.out()).results().map(MatchResult::group).toList();
    }

    private static boolean tellsItsLag(String shard) {
        return shard.contains("\"status\":\"RUNNING\"")
                && shard.contains("\"waiting\":")
                && shard.contains("\"timersLateSeconds\":");
    }

    private static List<String> options(String name, PostgresConfig database, NodeCertificates certificates)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("--db", database.url()));
        certificates.settings().forEach((setting, value) -> set(options, setting, value));
        set(options, "database.user", database.admin().user());
        set(options, "database.password", database.admin().password());
        set(options, "database.shards", "4");
        set(options, "node.name", name);
        set(options, "node.address", "127.0.0.1:" + FreePort.next());
        set(options, "lease.timeToLive", "60s");
        return options;
    }

    private static void set(List<String> options, String setting, String value) {
        options.addAll(List.of("--set", setting + "=" + value));
    }
}
