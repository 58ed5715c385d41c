package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.server.cli.Cli.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The short forms: three processes, a real database or a pair of them, and a few things that go wrong. */
@Execution(ExecutionMode.CONCURRENT) // each waits most of its time
final class TortureCommandTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingIsLostWhateverGoesWrong() throws Exception {
        JsonCursor found = tortured("--short");

        assertEquals(Set.of("kill", "pause", "database-stop", "answer-lost"), faults(found));
        assertTrue(found.longValue("lost_answers") > 0, "lost_answers");
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingIsLostWhenOneDatabaseServerTakesOverFromAnother() throws Exception {
        assumeTrue(
                DatabasePair.missing().isEmpty(), () -> DatabasePair.missing().orElseThrow());

        JsonCursor found = tortured("--short", "--pair");

        assertEquals(Set.of("failover", "switchover"), faults(found));
    }

    /** What it found, in which nothing is wrong. */
    private JsonCursor tortured(String... options) throws Exception {
        Path drawing = folder.resolve("torture.html");
        String[] arguments = Stream.of(
                        Stream.of("torture"),
                        Stream.of(options),
                        Stream.of("--seed", "1", "--json"),
                        Stream.of("--html", drawing.toString()),
                        Stream.of("--dir", folder.resolve("all").toString()))
                .flatMap(each -> each)
                .toArray(String[]::new);

        Said said = Cli.here(arguments);

        assertEquals(0, said.exit(), said::toString);
        JsonCursor found = JsonCursor.of(JsonParser.parse(said.out().getBytes(StandardCharsets.UTF_8)));
        for (String none : Set.of(
                "lost",
                "repeated",
                "duplicated_effects",
                "missing_effects",
                "wrong_messages",
                "outbox_pending",
                "outbox_dead",
                "wrongly_attested",
                "compensations_short",
                "ended_otherwise",
                "broken_histories",
                "not_linearizable",
                "linearizability_undecided",
                "not_recovered",
                "late_takeovers",
                "clients_left",
                "different_answers",
                "odd_answers")) {
            assertEquals(0, found.longValue(none), none);
        }
        for (String some : Set.of(
                "starts",
                "decisions",
                "signals",
                "effects",
                "messages",
                "asked_twice",
                "decided_runs",
                "compensated")) {
            assertTrue(found.longValue(some) > 0, some);
        }
        assertTrue(found.longValue("refused") > 0, "something couldn't be undone");
        assertTrue(number(found, "compensated_share") >= 0.99, "and all but a hundredth was");
        assertTrue(found.longValue("verified_runs") >= found.longValue("starts"), "each chain was verified");
        assertTrue(Files.readString(drawing).contains("class=\"band\""), "what went wrong is drawn");
        return found;
    }

    private static Set<String> faults(JsonCursor found) {
        return found.member("fault_list").items().stream()
                .map(fault -> fault.string("kind"))
                .collect(Collectors.toSet());
    }

    private static double number(JsonCursor found, String member) {
        return found.member(member).value() instanceof JsonNumber number
                ? number.doubleValue()
                : fail(member + " is no number");
    }
}
