package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every statement of the module says, and what none may say. */
final class StatementTextTest {
    private static final Path CLASSES = Path.of("src/main/java/dev/flowstone/postgres");
    private static final Path SCHEMA = Path.of("src/main/resources/dev/flowstone/postgres/schema");

    /** Text blocks, then literals in which a statement begins. */
    private static final Pattern STATEMENT = Pattern.compile(
            "\"\"\"\\n(.*?)\"\"\"|\"((?:SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|SET|RESET|LOCK|CREATE|DROP|ALTER)\\s[^\"\\n]*)\"",
            Pattern.DOTALL);

    /** What outlives its transaction, or is only there for whoever has the same session again (cases.md 26). */
    private static final String LASTS =
            "pg_(try_)?advisory_lock(_shared)?\\s*\\(|\\b(LISTEN|NOTIFY|PREPARE|DEALLOCATE)\\b"
                    + "|pg_notify|CREATE\\s+(LOCAL\\s+|GLOBAL\\s+)?TEMP|pg_temp\\.|WITH\\s+HOLD|SET\\s+SESSION|set_config\\([^()]*,\\s*false\\s*\\)";

    private static final Pattern IN_A_FUNCTION = Pattern.compile(LASTS);
    private static final Pattern OF_A_SESSION = Pattern.compile(LASTS + "|^\\s*SET\\s+(?!LOCAL)");

    /** Cleans what others' statements may have left. */
    private static final Set<String> CLEANING = Set.of("LentSession");

    /** Tables in which runs leave rows. */
    private static final Pattern SPREAD = Pattern.compile(
            "flowstone\\.(runs|receipts|timers|outbox|dead_letters|dead_letter_deeds|outbox_attempts|outbox_deeds|inbox|letters|human_tasks|subjects|subject_windows"
                    + "|trigger_schedules|trigger_ticks|entries|snapshots|human_task_parties|feed|run_counts|run_count_changes|trigger_cursors|epochs|heartbeats|setting_acks)\\b");

    /** By slots of the shard, or by the keys of what belongs to it. */
    private static final Pattern PLACED = Pattern.compile(
            "slot BETWEEN \\? AND \\?|\\b(run_id|sender|scope|source|id|stream|shard) = " + "|VALUES \\(\\?, \\?");

    /** Whose statements are of all shards, and why that is no loop's business. */
    private static final Map<String, String> OF_ALL = new TreeMap<>(Map.ofEntries(
            Map.entry("BlockSweep", "removes what has outlived its use, by blocks of a table"),
            Map.entry("HeldSnapshot", "a measurement"),
            Map.entry("Migrations", "looks whose the tables are"),
            Map.entry("Partitions", "looks for months"),
            Map.entry("PostgresArchives", "a month leaves, whoever had it"),
            Map.entry("PostgresBacklog", "what an operator is shown"),
            Map.entry("PostgresDeadLetters", "what an operator is shown"),
            Map.entry("PostgresDeadLetterStore", "looks once for all shards of the node, at the few rows that are due"),
            Map.entry("PostgresDeadRows", "what an operator is shown"),
            Map.entry("PostgresEntrySource", "verifies all chains"),
            Map.entry("PostgresFeed", "reads streams side by side"),
            Map.entry("PostgresHumanTasks", "lists for people"),
            Map.entry("PostgresLeases", "is cut once, and who is there is everybody's"),
            Map.entry("PostgresOutboxControl", "what an operator is shown"),
            Map.entry("PostgresPorts", "looks at rights"),
            Map.entry("PostgresProjections", "writes rows of the one run that an operator mends"),
            Map.entry("PostgresRunReader", "lists for people"),
            Map.entry("PostgresSettings", "which shards have heard, for people"),
            Map.entry("PostgresSuspects", "what an operator is shown"),
            Map.entry(
                    "PostgresTriggerSchedules", "looks once for all shards of the node, at the few rows that are due"),
            Map.entry("RunCounting", "counts for people"),
            Map.entry("RunLists", "lists for people"),
            Map.entry("ScheduleChanges", "what people change of one trigger"),
            Map.entry("ServerWork", "a measurement"),
            Map.entry("TableSizes", "a measurement"),
            Map.entry("WaitingRows", "what an operator is shown")));

    private record Statement(String owner, String text) {}

    private static List<Statement> statements() throws IOException {
        List<Statement> found = new ArrayList<>();
        for (Path file : files(CLASSES, ".java")) {
            String owner = String.valueOf(file.getFileName()).replace(".java", "");
            Matcher matcher = STATEMENT.matcher(Files.readString(file));
            while (matcher.find()) {
                String text = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                found.add(new Statement(owner, text.strip()));
            }
        }
        return found;
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    @Test
    void nothingOfASessionIsReliedOn() throws IOException {
        List<Statement> all = statements();
        assertTrue(all.size() > 100, "only " + all.size() + " statements were found");
        for (Statement statement : all) {
            if (!CLEANING.contains(statement.owner())) {
                assertFalse(OF_A_SESSION.matcher(statement.text()).find(), statement::toString);
            }
        }
        for (Path file : files(SCHEMA, ".sql")) {
            for (String line : Files.readAllLines(file)) {
                String said = line.replaceFirst("--.*", "");
                assertFalse(IN_A_FUNCTION.matcher(said).find(), () -> file + ": " + said);
            }
        }
    }

    @Test
    void whatALoopAsksForHasItsPlace() throws IOException {
        Set<String> unplaced = new TreeSet<>();
        for (Statement statement : statements()) {
            boolean placed = PLACED.matcher(statement.text()).find();
            if (SPREAD.matcher(statement.text()).find() && !placed) {
                unplaced.add(statement.owner());
            }
        }
        unplaced.removeAll(OF_ALL.keySet());
        assertEquals(
                Set.of(),
                unplaced,
                "they ask for rows of all shards: let them name their slots or keys, or say here why they may");
    }
}
