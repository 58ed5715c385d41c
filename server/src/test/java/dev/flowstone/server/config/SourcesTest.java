package dev.flowstone.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.decision.ForkBounds;
import dev.flowstone.kernel.decision.HumanBounds;
import dev.flowstone.kernel.decision.MessageBounds;
import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.security.token.Algorithm;
import dev.flowstone.security.token.TokenRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourcesTest {
    @TempDir
    private Path folder;

    private FlowstoneConfig config(Map<String, String> flags, Map<String, String> environment, Optional<Path> file)
            throws ConfigException {
        return FlowstoneConfig.of(Sources.of(flags, environment, file));
    }

    @Test
    void aFlagWinsOverTheEnvironmentOverTheFileOverTheDefault() throws Exception {
        Path file = folder.resolve("flowstone.json");
        Files.writeString(file, """
                {"http": {"port": 1, "host": "::1", "maxBodyBytes": 2048}, "dag.jitter": false}""");
        Map<String, String> environment = Map.of("FLOWSTONE_HTTP_PORT", "2", "FLOWSTONE_HTTP_HOST", "localhost");

        FlowstoneConfig config = config(Map.of("http.port", "3"), environment, Optional.of(file));

        assertEquals(3, config.http().port());
        assertEquals("localhost", config.http().host());
        assertEquals(2048, config.http().maxBodyBytes());
        assertFalse(config.dag().defaults().jitter());
        assertEquals(3, config.dag().defaults().maxRetryAttempts());
    }

    @Test
    void anIssuersTokensTakeAllOfItOrNothing() throws Exception {
        assertEquals(
                Optional.empty(),
                config(Map.of(), Map.of(), Optional.empty()).http().auth().jwt());
        Map<String, String> flags = new HashMap<>(Map.of("auth.jwt.issuer", "https://login.example/"));
        String missing =
                String.valueOf(assertThrows(ConfigException.class, () -> config(flags, Map.of(), Optional.empty()))
                        .getMessage());
        assertTrue(missing.contains("AUTH_INCOMPLETE") && missing.contains("audience and auth.jwt.keys, too"), missing);

        flags.put("auth.jwt.audience", "flowstone");
        for (String keys :
                List.of("https://login.example/jwks", "http://127.0.0.1:8/jwks", "http://[::1]/x", "keys.json")) {
            flags.put("auth.jwt.keys", keys);
            AuthConfig.Jwt jwt = config(flags, Map.of(), Optional.empty())
                    .http()
                    .auth()
                    .jwt()
                    .orElseThrow();
            assertEquals(keys.contains("://"), jwt.url().isPresent(), keys);
            assertEquals("tenant_id", jwt.rules().tenantClaim());
            assertFalse(config(flags, Map.of(), Optional.empty()).http().auth().loose(), "unless it is said");
        }
        for (String keys :
                List.of("http://login.example/jwks", "https://me:it@login.example/", "ftp://x/", "https:///x")) {
            flags.put("auth.jwt.keys", keys);
            assertThrows(ConfigException.class, () -> config(flags, Map.of(), Optional.empty()), keys);
        }
    }

    @Test
    void rulesOfTokensAreSet() throws Exception {
        Map<String, String> flags = Map.of(
                "auth.jwt.issuer", "https://login.example/",
                "auth.jwt.audience", "flowstone",
                "auth.jwt.keys", "keys.json",
                "auth.jwt.algorithms", "Ed25519, ES256",
                "auth.jwt.serviceClients", "nightly, billing",
                "auth.jwt.requireAccessTokenType", "true",
                "auth.loose", "true");

        AuthConfig auth = config(flags, Map.of(), Optional.empty()).http().auth();

        TokenRules rules = auth.jwt().orElseThrow().rules();
        assertEquals(Set.of(Algorithm.EDDSA, Algorithm.ES256), rules.algorithms());
        assertEquals(Set.of("nightly", "billing"), rules.serviceClients());
        assertTrue(rules.requiresAccessTokenType());
        assertTrue(auth.loose());
        assertTrue(config(Map.of(), Map.of(), Optional.empty()).http().auth().loose());
        assertThrows(ConfigException.class, () -> config(Map.of("auth.loose", "yes"), Map.of(), Optional.empty()));
        assertThrows(
                ConfigException.class,
                () -> config(Map.of("auth.jwt.algorithms", "none"), Map.of(), Optional.empty()),
                "also without an issuer");
    }

    @Test
    void aPropertiesFileIsNamedByTheEnvironmentToo() throws Exception {
        Path file = folder.resolve("flowstone.properties");
        Files.writeString(file, "dag.actionTimeout = 90s\ndag.workflowTimeout = PT2H\n");

        FlowstoneConfig config = config(Map.of(), Map.of(Sources.FILE_VARIABLE, file.toString()), Optional.empty());

        assertEquals(Duration.ofSeconds(90), config.dag().defaults().actionTimeout());
        assertEquals(Duration.ofHours(2), config.dag().defaults().workflowTimeout());
    }

    @Test
    void everyDefaultReadsBackAsItself() throws Exception {
        FlowstoneConfig config = config(Map.of(), Map.of(), Optional.empty());

        assertEquals(dev.flowstone.dialect.dag.option.DagOptions.DEFAULT, config.dag());
        assertEquals(Bounds.DEFAULT, config.bounds());
        assertEquals(StatesOptions.DEFAULT, config.states());
    }

    @Test
    void everyBoundCanBeSet() throws Exception {
        Map<String, String> flags = new HashMap<>();
        List.of("workPerDecision", "visitsWithoutWait", "eventBytes", "inlineBytes", "expressionStepsPerDecision")
                .forEach(name -> flags.put("engine." + name, Integer.toString(2_000 + flags.size())));
        List.of("expressionBytesPerDecision", "payloadBytes", "maxContextSizeBytes", "variableBytes")
                .forEach(name -> flags.put("engine." + name, Integer.toString(2_000 + flags.size())));
        List.of("liveActivations", "forkBranches", "forkNesting", "joinResultBytes", "signalBuffer")
                .forEach(name -> flags.put("engine." + name, Integer.toString(2_000 + flags.size())));
        flags.put("engine.callDepth", "500");
        List.of("bufferedInputs", "inputsPerDecision", "taskAssignees", "taskDecisions")
                .forEach(name -> flags.put("engine." + name, Integer.toString(2_000 + flags.size())));
        flags.putAll(Map.of("engine.signalLife", "3h", "engine.dedupeLife", "4m", "engine.callRecursion", "true"));

        assertEquals(
                new Bounds(
                        2_000,
                        2_001,
                        2_002,
                        2_003,
                        2_004,
                        2_005,
                        2_006,
                        2_007,
                        2_008,
                        new ForkBounds(2_009, 2_010, 2_011, 2_012),
                        new MessageBounds(2_013, Duration.ofHours(3), Duration.ofMinutes(4), 500, true),
                        new ControlBounds(2_015, 2_016),
                        new HumanBounds(2_017, 2_018)),
                config(flags, Map.of(), Optional.empty()).bounds());
    }

    @Test
    void everyBoundOfAWorkflowAsStatesCanBeSet() throws Exception {
        Map<String, String> flags = Map.of(
                "states.maxSourceBytes", "1",
                "states.maxNesting", "2",
                "states.maxStates", "3",
                "states.maxExpressions", "4",
                "states.maxFaults", "5",
                "states.maxMarkings", "6");

        assertEquals(
                new StatesOptions(1, 2, 3, 4, 5, 6),
                config(flags, Map.of(), Optional.empty()).states());
    }

    @Test
    void aBoundThatWouldStopEverythingIsRefused() {
        refused("states.maxStates takes a number from 1", Map.of("states.maxStates", "0"), Map.of(), Optional.empty());
        refused("engine.signalLife takes a time", Map.of("engine.signalLife", "0s"), Map.of(), Optional.empty());
        refused("engine.signalLife takes a time", Map.of("engine.signalLife", "-PT1S"), Map.of(), Optional.empty());
        refused("engine.taskAssignees takes", Map.of("engine.taskAssignees", "0"), Map.of(), Optional.empty());
        refused("engine.joinResultBytes takes", Map.of("engine.joinResultBytes", "-1"), Map.of(), Optional.empty());
    }

    @Test
    void aQuotaThatMeansNothingIsRefused() {
        for (String wrong : List.of("acme", "=1", "acme=", "acme=much", "acme=1,acme=2", "acme=1,,b=2", " =3")) {
            refused(
                    "quota.tenantWeights takes tenant=weight pairs",
                    Map.of("quota.tenantWeights", wrong),
                    Map.of(),
                    Optional.empty());
        }
        refused("quota.tenantWeights takes", Map.of("quota.tenantWeights", "acme=0"), Map.of(), Optional.empty());
        refused("quota.tenantStarts takes", Map.of("quota.tenantStarts", "acme=-1"), Map.of(), Optional.empty());
        refused("quota.startsPerSecond takes", Map.of("quota.startsPerSecond", "-1"), Map.of(), Optional.empty());
        refused("sweep.every takes a second or more", Map.of("sweep.every", "5ms"), Map.of(), Optional.empty());
        refused("the feed is kept for a second or longer", Map.of("sweep.feed", "0s"), Map.of(), Optional.empty());
    }

    @Test
    void limitsOfOneNameAreOneLimit() throws Exception {
        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(
                Map.of("limit.atOnce", "orders.charge=4, slack.*=20", "limit.perSecond", "slack.*=0.5,bank.pay=2"),
                Map.of(),
                Optional.empty()));

        assertEquals(
                Set.of(
                        new ActionLimit("orders.charge", 4, 0),
                        new ActionLimit("slack.*", 20, 0.5),
                        new ActionLimit("bank.pay", 0, 2)),
                Set.copyOf(config.limits()));
    }

    @Test
    void aLimitThatMeansNothingIsRefused() {
        for (String wrong : List.of(
                "a", "a=0", "a=-1", "a=b", "=1", "*=1", ".*=1", "a*=1", "a.*.b=1", "a=1,a=2", "a b=1", "a/b.*=1",
                "a.*.*=1")) {
            refused("limit.atOnce takes", Map.of("limit.atOnce", wrong), Map.of(), Optional.empty());
        }
        refused("limit.perSecond takes", Map.of("limit.perSecond", "a=0"), Map.of(), Optional.empty());
    }

    @Test
    void whatLeavesTheHouseIsBoundedAsTheSettingsSay() throws Exception {
        Map<String, String> flags = new HashMap<>(Map.of(
                "outbound.allowedHosts", "crm.corp.example, *.lan.example",
                "outbound.allowedNetworks", "10.1.0.0/16,fd00:1::/32, 127.0.0.1",
                "outbound.deniedNetworks", "10.1.9.0/24",
                "outbound.timeout", "2m",
                "outbound.connectTimeout", "500ms",
                "outbound.maxResponseBytes", "4096",
                "outbound.maxRedirects", "0",
                "outbound.connections", "700",
                "outbound.perHost", "300",
                "outbound.perHostPerSecond", "2.5"));

        assertEquals(
                OutboundConfig.DEFAULT,
                config(Map.of(), Map.of(), Optional.empty()).outbound());
        assertEquals(
                new OutboundConfig(
                        AddressPolicy.PUBLIC_ONLY
                                .withAllowedHosts("crm.corp.example", "*.lan.example")
                                .withAllowedNetworks("10.1.0.0/16", "fd00:1::/32", "127.0.0.1")
                                .withDeniedNetworks("10.1.9.0/24"),
                        Duration.ofMillis(500),
                        Duration.ofMinutes(2),
                        0,
                        4_096,
                        8_192,
                        100,
                        700,
                        300,
                        2.5,
                        Duration.ofDays(1)),
                config(flags, Map.of(), Optional.empty()).outbound());
    }

    @Test
    void aBoundOnWhatLeavesThatMeansNothingIsRefused() {
        Map.of(
                        "outbound.allowedNetworks", "10.1.2.3/8",
                        "outbound.deniedNetworks", "example.com",
                        "outbound.allowedHosts", "127.0.0.1",
                        "outbound.timeout", "0s",
                        "outbound.maxRedirects", "21",
                        "outbound.connections", "0",
                        "outbound.perHost", "0",
                        "outbound.perHostPerSecond", "-1",
                        "outbound.maxResponseBytes", "-1")
                .forEach((name, value) -> refused(name + " takes", Map.of(name, value), Map.of(), Optional.empty()));
        refused("a number from 0 to 20", Map.of("outbound.maxRedirects", "21"), Map.of(), Optional.empty());
        refused("a call takes a day at most", Map.of("outbound.timeout", "200000d"), Map.of(), Optional.empty());
    }

    /** Where settings are explained, by the first part of their names. */
    private static final Map<String, List<String>> PAGES = Map.ofEntries(
            Map.entry("auth", List.of("security", "options")),
            Map.entry("catalog", List.of("options")),
            Map.entry("child", List.of("dag")),
            Map.entry("condition", List.of("options")),
            Map.entry("context", List.of("options")),
            Map.entry("connector", List.of("actions")),
            Map.entry("deadLetter", List.of("rest")),
            Map.entry("engine", List.of("semantics", "dag", "options")),
            Map.entry("events", List.of("events-out")),
            Map.entry("health", List.of("health")),
            Map.entry("kafka", List.of("events-out")),
            Map.entry("lease", List.of("cluster")),
            Map.entry("limit", List.of("upkeep")),
            Map.entry("log", List.of("observability")),
            Map.entry("node", List.of("cluster")),
            Map.entry("outbound", List.of("http")),
            Map.entry("outbox", List.of("outbox")),
            Map.entry("publish", List.of("dag")),
            Map.entry("quota", List.of("upkeep")),
            Map.entry("rate", List.of("security")),
            Map.entry("secret", List.of("http")),
            Map.entry("skew", List.of("upkeep")),
            Map.entry("states", List.of("states")),
            Map.entry("stuck", List.of("health")),
            Map.entry("sweep", List.of("upkeep")),
            Map.entry("template", List.of("options")),
            Map.entry("trigger", List.of("triggers", "options")),
            Map.entry("webhook", List.of("outbox")),
            Map.entry("work", List.of("upkeep")),
            Map.entry("worker", List.of("workers")));

    /** Those that stand in no table, but in the text where they matter. */
    private static final Set<String> TOLD_IN_TEXT = Set.of("dag", "database", "http", "trace");

    @Test
    void everyBoundIsInTheTablesOfTheDocumentation() throws Exception {
        Path docs = Path.of(System.getProperty("basedir", ".")).resolve("../docs");
        for (Setting<?> setting : Settings.all()) {
            String group = setting.name().replaceFirst("\\..*", "");
            if (TOLD_IN_TEXT.contains(group)) {
                continue;
            }
            StringBuilder text = new StringBuilder(Files.readString(docs.resolve("options.md")));
            for (String page : PAGES.getOrDefault(group, List.of())) {
                text.append(Files.readString(docs.resolve(page + ".md")));
            }
            assertTrue(text.indexOf("`" + setting.name() + "`") >= 0, setting::name);
        }
    }

    /** dataflow.md §12.3. */
    @Test
    void budgetsAreAsTheSpecificationHasThemUnlessItIsSaidOtherwise() throws Exception {
        RateConfig.Rate workers = new RateConfig.Rate(60_000, 2_000);
        assertEquals(
                new RateConfig(
                        new RateConfig.Rate(60, 120),
                        new RateConfig.Rate(0, 10_000),
                        workers,
                        workers,
                        new RateConfig.Rate(0, 1),
                        false),
                config(Map.of(), Map.of(), Optional.empty()).http().rates());
        assertEquals(
                new RateConfig.Rate(7, 7),
                config(Map.of("rate.executionsPerMinute", "7"), Map.of(), Optional.empty())
                        .http()
                        .rates()
                        .executions());
    }

    /** dataflow.md §10.6. */
    @Test
    void webhooksAreTakenAtTheUsualPathUnlessItIsSaidOtherwise() throws Exception {
        assertEquals(
                new TriggerConfig(true, true, Duration.ofMinutes(1), true, "/api/v1/triggers"),
                config(Map.of(), Map.of(), Optional.empty()).triggers());
        assertEquals(
                new TriggerConfig(false, false, Duration.ofSeconds(5), false, "/in/hooks"),
                config(
                                Map.of(
                                        "trigger.webhooks",
                                        "false",
                                        "trigger.basePath",
                                        "/in/hooks",
                                        "trigger.schedules",
                                        "false",
                                        "trigger.missedAfter",
                                        "5s",
                                        "trigger.events",
                                        "false"),
                                Map.of(),
                                Optional.empty())
                        .triggers());
        for (String time : List.of("0s", "10m1s", "soon")) {
            refused("trigger.missedAfter", Map.of("trigger.missedAfter", time), Map.of(), Optional.empty());
        }
        for (String path : List.of(
                "",
                "/",
                "hooks",
                "/hooks/",
                "/hooks//in",
                "/{id}",
                "/a%20b",
                "/api",
                "/api/v1",
                "/api/v1/workflows",
                "/health",
                "/metrics/in",
                "/in/../api/v1",
                "/.",
                "/1/2/3/4/5/6")) {
            refused("trigger.basePath", Map.of("trigger.basePath", path), Map.of(), Optional.empty());
        }
    }

    /** dataflow.md §10.2. */
    @Test
    void deadLettersAreAsTheSpecificationHasThemUnlessItIsSaidOtherwise() throws Exception {
        assertEquals(
                new DeadLetterConfig(true, "workflow-dlq", 3, Duration.ofMinutes(5)),
                config(Map.of(), Map.of(), Optional.empty()).deadLetters());
        assertEquals(
                new DeadLetterConfig(false, "ours", 0, Duration.ofSeconds(1)),
                config(
                                Map.of(
                                        "deadLetter.enabled", "false",
                                        "deadLetter.name", "ours",
                                        "deadLetter.maxRetries", "0",
                                        "deadLetter.delay", "1s"),
                                Map.of(),
                                Optional.empty())
                        .deadLetters());
    }

    private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";

    @Test
    void endpointsHaveNamesWhereverTheyAreSet() throws Exception {
        FlowstoneConfig config = config(
                Map.of("webhook.shop.url", "https://shop.example/hook", "webhook.shop.secret", SECRET),
                Map.of(
                        "FLOWSTONE_WEBHOOK_SHOP_PREVIOUS_SECRET", SECRET,
                        "FLOWSTONE_WEBHOOK_MY_BANK_URL", "https://bank.example",
                        "FLOWSTONE_WEBHOOK_MY_BANK_SECRET", SECRET,
                        "FLOWSTONE_WEBHOOK_MY_BANK_PER_SECOND", "0.5",
                        "FLOWSTONE_WEBHOOK_MY_BANK_AT_ONCE", "3"),
                Optional.empty());

        List<Webhook> webhooks = config.outbox().webhooks();
        assertEquals(
                List.of("my-bank", "shop"), webhooks.stream().map(Webhook::name).toList());
        assertEquals(3, webhooks.getFirst().atOnce());
        assertEquals(0.5, webhooks.getFirst().perSecond());
        assertEquals(2, webhooks.getLast().secrets().size());
        assertFalse(config.toString().contains(SECRET.substring(6)));
    }

    @Test
    void anEndpointThatCannotBeDeliveredToIsRefused() {
        for (String url :
                List.of("", "shop", "ftp://shop.example", "http://", "https://user@shop.example", "http://1.2.3")) {
            refused(
                    "webhook.shop.url takes",
                    Map.of("webhook.shop.url", url, "webhook.shop.secret", SECRET),
                    Map.of(),
                    Optional.empty());
        }
        for (String host : List.of("169.254.169.254", "[fd00:ec2::254]")) {
            refused(
                    "webhook.shop.url names the metadata service",
                    Map.of("webhook.shop.url", "http://" + host + "/latest", "webhook.shop.secret", SECRET),
                    Map.of(),
                    Optional.empty());
        }
        refused(
                "webhook.shop.secret is missing",
                Map.of("webhook.shop.url", "https://shop.example"),
                Map.of(),
                Optional.empty());
        refused(
                "webhook.shop.secret: a webhook's secret",
                Map.of("webhook.shop.url", "https://shop.example", "webhook.shop.secret", "whsec_short"),
                Map.of(),
                Optional.empty());
        refused("webhook.Shop.url", Map.of("webhook.Shop.url", "https://shop.example"), Map.of(), Optional.empty());
        refused("webhook.shop.uri", Map.of("webhook.shop.uri", "https://shop.example"), Map.of(), Optional.empty());
        refused("webhook.NAME.url", Map.of("webhook.NAME.url", "https://shop.example"), Map.of(), Optional.empty());
    }

    @Test
    void whatCannotBeUnderstoodNamesItsSource() throws Exception {
        Path file = folder.resolve("bad.json");
        Files.writeString(file, "{\"http\": {\"prot\": 1}}");

        refused("http.prot", Map.of(), Map.of(), Optional.of(file));
        refused("http.prot", Map.of("http.prot", "1"), Map.of(), Optional.empty());
        refused("FLOWSTONE_HTTP_PORT", Map.of(), Map.of("FLOWSTONE_HTTP_PORT", "-1"), Optional.empty());
        refused("dag.actionTimeout takes a time", Map.of("dag.actionTimeout", "soon"), Map.of(), Optional.empty());
        refused("maxIdLength is at most 200", Map.of("dag.maxIdLength", "900"), Map.of(), Optional.empty());
        Files.writeString(file, "{");
        refused("bad.json:1:", Map.of(), Map.of(), Optional.of(file));
    }

    @Test
    void aPasswordIsNeverSaid() throws Exception {
        FlowstoneConfig config = config(
                Map.of("database.password", "geheim", "database.url", "jdbc:postgresql://h/d?password=geheim"),
                Map.of(),
                Optional.empty());

        assertFalse(config.database().toString().contains("geheim"));
        assertTrue(config.database().toString().contains("jdbc:postgresql://h/d"));
    }

    private void refused(String says, Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
        ConfigException refused = assertThrows(ConfigException.class, () -> config(flags, environment, file));
        assertTrue(String.valueOf(refused.getMessage()).contains(says), refused::getMessage);
    }

    @Test
    void aRolesPrefixIsCheckedWhereItIsGiven() throws Exception {
        assertEquals(
                "mine_api",
                config(Map.of("database.rolePrefix", "mine"), Map.of(), Optional.empty())
                        .database()
                        .roles()
                        .api());
        ConfigException refused = assertThrows(
                ConfigException.class,
                () -> config(Map.of("database.rolePrefix", "x; DROP"), Map.of(), Optional.empty()));
        assertTrue(String.valueOf(refused.getMessage()).contains("database.rolePrefix"), refused.getMessage());
    }
}
