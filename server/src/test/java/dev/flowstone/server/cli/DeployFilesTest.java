package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Setting;
import dev.flowstone.server.config.Settings;
import dev.flowstone.server.config.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in {@code deploy} fits what there is. */
final class DeployFilesTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Path SYSTEMD_ANALYZE = Path.of("/usr/bin/systemd-analyze");
    private static final Pattern VARIABLE = Pattern.compile("FLOWSTONE_[A-Z_]*[A-Z]");
    private static final Set<String> OTHERS = Set.of("FLOWSTONE_CONFIG", "FLOWSTONE_JAVA_OPTS", "FLOWSTONE_LOG");

    /** As container engines tell a host from an image: by a dot or a port before the first slash. */
    private static final Pattern REGISTRY =
            Pattern.compile("(?m)^(FROM +|ARG BASE=)[^/\\s]*[.:][^/\\s]*/|(docker|quay|ghcr|gcr)\\.io");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "container/Containerfile",
                "ha/etcd.env.example",
                "ha/node.env.example",
                "ha/patroni.yml.example",
                "ha/pgbouncer.ini.example",
                "systemd/flowstone.env.example",
                "systemd/flowstone.service"
            })
    void onlySettingsThatThereAreAreNamedAndNoRegistry(String file) throws Exception {
        Set<String> settings = Settings.all().stream().map(Setting::variable).collect(Collectors.toSet());
        String text = Files.readString(DEPLOY.resolve(file));

        List<String> unknown = VARIABLE.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(name -> !settings.contains(name) && !OTHERS.contains(name))
                .toList();

        assertEquals(List.of(), unknown);
        assertFalse(REGISTRY.matcher(text).find(), "whose registry is asked is for who builds the image to say");
    }

    @Test
    void theUnitKeepsItsPromises() throws Exception {
        List<String> unit = Files.readAllLines(DEPLOY.resolve("systemd/flowstone.service"));

        List<String> missing = missing(
                unit,
                "ExecStart=/opt/flowstone/bin/flowstone serve",
                "User=flowstone",
                "StateDirectory=flowstone",
                "EnvironmentFile=/etc/flowstone/flowstone.env",
                "KillSignal=SIGTERM",
                "KillMode=mixed",
                "TimeoutStopSec=120",
                "Restart=on-failure",
                "RestartPreventExitStatus=" + Exit.INVALID + " " + Exit.CANNOT_START,
                "LimitNOFILE=65536",
                "ProtectSystem=strict",
                "PrivateTmp=yes",
                "NoNewPrivileges=yes");

        assertEquals(List.of(), missing);
    }

    /** With a name of its own and real secrets it is one that a node starts with, and nothing of it is commented out. */
    @Test
    void theSettingsOfANodeOfThePairAreGood() throws Exception {
        Map<String, String> variables = new TreeMap<>();
        for (String line : Files.readAllLines(DEPLOY.resolve("ha/node.env.example"))) {
            if (!line.startsWith("#") && !line.isBlank()) {
                String[] parts = line.split("=", 2);
                variables.put(parts[0], parts[1].replace("CHANGE-ME", "0123456789abcdef0123456789abcdef"));
            }
        }

        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(Map.of(), variables, Optional.empty()));

        assertEquals(Optional.of("node-1"), config.node().name());
        FlowstoneConfig.Peers peers = config.node().peers().orElseThrow();
        assertEquals("10.0.0.21:7070", peers.address());
        assertTrue(config.http().token().isPresent());
        String url = config.database().url().orElseThrow();
        assertEquals(url, PostgresConfig.of(url, new Login("flowstone", "any")).url(), "several hosts, one primary");
        assertTrue(config.database().shards() >= 6, "each of three nodes has some");
    }

    /** Where there is such a tool; that what is to be started is missing here is no fault of the unit. */
    @Test
    void systemdHasNothingToSayAgainstTheUnit() throws Exception {
        String text = Files.readString(DEPLOY.resolve("systemd/flowstone.service"));
        Path unit = folder.resolve("flowstone.service");
        Files.writeString(unit, text.replace("ExecStart=/opt/flowstone/bin/flowstone", "ExecStart=/bin/sh"));
        if (Files.isExecutable(SYSTEMD_ANALYZE)) {
            Said said = verified(unit);

            assertFalse((said.out() + said.err()).contains("flowstone.service"), said::toString);
        }
    }

    private static Said verified(Path unit) throws Exception {
        ProcessBuilder verify = new ProcessBuilder(SYSTEMD_ANALYZE.toString(), "verify", unit.toString());
        try (Cli.Running running = Cli.Running.start(verify)) {
            return running.end();
        }
    }

    @Test
    void theContainerIsNobodysRootAndEndsAsAServiceDoes() throws Exception {
        List<String> file = Files.readAllLines(DEPLOY.resolve("container/Containerfile"));

        List<String> missing = missing(
                file,
                "USER 10001:10001",
                "VOLUME /var/lib/flowstone",
                "EXPOSE 8080",
                "STOPSIGNAL SIGTERM",
                "ENTRYPOINT [\"/opt/flowstone/bin/flowstone\"]",
                "CMD [\"serve\"]");

        assertEquals(List.of(), missing);
    }

    private static List<String> missing(List<String> file, String... wanted) {
        return Stream.of(wanted).filter(line -> !file.contains(line)).toList();
    }
}
