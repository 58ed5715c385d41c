package dev.flowstone.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/options.md and the settings say the same, in both directions; what could have no effect is refused. */
final class OptionsTableTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/options.md");

    private static final Pattern ROW =
            Pattern.compile("\\| ([0-9.]+) \\| `([^`]+)` \\| ([^|]+) \\| `([^`]+)` \\| `([^`]*)` \\| ([^|]+) \\|");

    /** Every option of dataflow.md §10. */
    private static final List<String> OPTIONS = List.of(
            "MaxParallelActions",
            "DefaultActionTimeout",
            "DefaultWorkflowTimeout",
            "RetryPolicy.MaxRetryAttempts",
            "RetryPolicy.InitialDelay",
            "RetryPolicy.BackoffFactor",
            "RetryPolicy.Jitter",
            "UseDeadLetterQueue",
            "DeadLetterQueueName",
            "MaxPoisonMessageRetries",
            "PoisonMessageDelay",
            "MaxNodesPerWorkflow",
            "MaxContextSizeBytes",
            "EnableDistributedLocking",
            "RedisConnectionString",
            "AutoRegisterActionsOnStartup",
            "ValidateActionSchemasOnStartup",
            "AllowDraftExecution",
            "MaxNestingDepth",
            "AllowRecursion",
            "DefaultChildTimeout",
            "EnableWebhooks",
            "EnableSchedules",
            "EnableEvents",
            "WebhookBasePath",
            "SchedulerProvider");

    /** Those of its other chapters. */
    private static final List<String> OTHERS = List.of(
            "RenderTimeout",
            "NullValueReplacement",
            "StrictMode",
            "EnableLoops",
            "EnableFunctions",
            "ScriptTimeout",
            "MaxStatements",
            "MemoryLimitBytes",
            "MaxRecursionDepth",
            "Mode",
            "KeysToInclude",
            "OverflowBehavior",
            "ValidateParameterTemplates",
            "AllowLooseAuth",
            "RequirePrincipalForExecute",
            "ValidateDownstreamPermissions");

    /** Settings whose groups exist for these options alone: each of them has its row. */
    private static final Set<String> GROUPS =
            Set.of("catalog", "child", "condition", "context", "deadLetter", "publish", "template");

    /** One line of a table. */
    private record Row(String section, String option, String setting, String here, String text) {}

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(row.group(1), row.group(2), row.group(4), row.group(5), row.group(6)));
            } else {
                assertFalse(line.startsWith("| ") && line.contains("`"), "not a row: " + line);
            }
        }
        return rows;
    }

    @Test
    void everyOptionHasItsRow() throws IOException {
        List<String> expected = new ArrayList<>(OPTIONS);
        expected.addAll(OTHERS);

        assertEquals(expected, rows().stream().map(Row::option).toList());
        assertEquals(
                OPTIONS,
                rows().stream()
                        .filter(row -> row.section().startsWith("10."))
                        .map(Row::option)
                        .toList());
    }

    @Test
    void everyRowIsASettingWithThatDefault() throws IOException {
        for (Row row : rows()) {
            Optional<Setting<?>> setting = Settings.named(row.setting());
            assertTrue(setting.isPresent(), () -> "there is no setting " + row.setting());
            String otherwise = setting.get().otherwise();
            assertEquals(row.here(), otherwise.isEmpty() ? "unset" : otherwise, row::setting);
        }
    }

    @Test
    void everySettingOfAnOptionIsInTheTable() throws IOException {
        Set<String> told = rows().stream().map(Row::setting).collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (Setting<?> setting : Settings.all()) {
            boolean ofOptions = GROUPS.contains(setting.name().replaceFirst("\\..*", ""));
            if ((ofOptions || OptionSettings.all().contains(setting)) && !told.contains(setting.name())) {
                missing.add(setting.name());
            }
        }
        assertEquals(Set.of(), missing);
    }

    private static FlowstoneConfig config(String name, String value) throws ConfigException {
        return FlowstoneConfig.of(Sources.of(Map.of(name, value), Map.of(), Optional.empty()));
    }

    @Test
    void whatCouldHaveNoEffectIsRefusedWithTheReasonAndItsOneValueIsTaken() throws Exception {
        Map<String, Row> rows = rows().stream().collect(Collectors.toMap(Row::setting, row -> row));
        FlowstoneConfig none = FlowstoneConfig.of(Sources.of(Map.of(), Map.of(), Optional.empty()));
        for (Setting<String> fixed : OptionSettings.FIXED) {
            for (String other : List.of("true", "false", "2s", "Quartz", "redis:6379", "x")) {
                if (!other.equals(fixed.otherwise())) {
                    ConfigException refused =
                            assertThrows(ConfigException.class, () -> config(fixed.name(), other), fixed::name);
                    String message = String.valueOf(refused.getMessage());
                    assertTrue(message.contains(fixed.name()) && message.contains(fixed.meaning()), message);
                }
            }
            assertEquals(none, config(fixed.name(), fixed.otherwise()), fixed::name);
            assertTrue(
                    String.valueOf(rows.get(fixed.name())).contains("no other value")
                            || String.valueOf(rows.get(fixed.name())).contains("no value"),
                    fixed::name);
        }
    }

    @Test
    void theOthersHaveTheirEffect() throws Exception {
        assertEquals(
                7 * 200, config("condition.maxStatements", "7").expressions().steps());
        assertEquals(
                999, config("condition.memoryLimitBytes", "999").expressions().bytes());
        assertEquals(2, config("condition.maxRecursionDepth", "2").expressions().functionDepth());
        assertEquals(
                "DropOversize",
                config("context.overflow", "DropOversize")
                        .dag()
                        .defaults()
                        .context()
                        .overflow());
        assertEquals(
                "Full",
                config("context.snapshot", "Full").dag().defaults().context().snapshot());
        assertThrows(ConfigException.class, () -> config("context.overflow", "Prune"));
        assertThrows(ConfigException.class, () -> config("context.snapshot", "KeysOnly"), "without keys");
        assertThrows(ConfigException.class, () -> config("context.keys", "a"), "without KeysOnly");
    }
}
