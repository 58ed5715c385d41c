package dev.flowstone.engine.mend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of a run's rows isn't as its log says, and only that, is told. */
final class DifferencesTest {
    private static final Instant TIME = Instant.parse("2026-11-29T12:00:00Z");
    private static final RunKey RUN = new RunKey(new TenantId("acme"), RunId.of(TIME, new Slot(7), 1));

    private static Projection rows(RunStatus status, boolean awake, List<TimerRow> timers, List<HumanTaskRow> tasks) {
        return new Projection(
                RUN, new WorkflowId("w"), 5, status, awake, Optional.empty(), timers, tasks, Optional.empty());
    }

    private static TimerRow timer(String name, int generation, Instant due) {
        return new TimerRow(RUN, new TimerId(name), generation, due);
    }

    private static HumanTaskRow task(String activation, Optional<Instant> due, String... asked) {
        return new HumanTaskRow(
                ActivationId.parse(activation), TIME, List.of(asked), Optional.empty(), due, JsonObject.EMPTY);
    }

    private static List<String> told(Projection stored, Projection derived) {
        return Differences.of(stored, derived).stream()
                .map(Difference::toString)
                .toList();
    }

    @Test
    void rowsThatSayTheSameDoNotDiffer() {
        Projection rows = rows(
                RunStatus.RUNNING,
                true,
                List.of(timer("t", 1, TIME)),
                List.of(task("a#1", Optional.of(TIME), "user:x")));

        assertEquals(List.of(), told(rows, rows));
    }

    /** Databases keep microseconds, and lists of parties no order. */
    @Test
    void nanosecondsAndTheOrderOfPartiesAreNoDifference() {
        assertEquals(
                List.of(),
                told(
                        rows(
                                RunStatus.RUNNING,
                                false,
                                List.of(timer("t", 1, TIME.plusNanos(1_000))),
                                List.of(task("a#1", Optional.empty(), "user:y", "user:x"))),
                        rows(
                                RunStatus.RUNNING,
                                false,
                                List.of(timer("t", 1, TIME.plusNanos(17))),
                                List.of(task("a#1", Optional.empty(), "user:x", "user:y")))));
    }

    @Test
    void tellsTheHead() {
        assertEquals(
                List.of("status was RUNNING, is SUCCEEDED", "awake was true, is false"),
                told(
                        rows(RunStatus.RUNNING, true, List.of(), List.of()),
                        rows(RunStatus.SUCCEEDED, false, List.of(), List.of())));
    }

    @Test
    void tellsTimersThatAreMissingTooManyOrOthers() {
        assertEquals(
                List.of(
                        "timer gone was due 2026-11-29T12:00:00Z (generation 1), is missing",
                        "timer late was due 2026-11-29T12:00:01Z (generation 1),"
                                + " is due 2026-11-29T12:00:00Z (generation 1)",
                        "timer lost was missing, is due 2026-11-29T12:00:00Z (generation 1)",
                        "timer old was due 2026-11-29T12:00:00Z (generation 1),"
                                + " is due 2026-11-29T12:00:00Z (generation 2)"),
                told(
                        rows(
                                RunStatus.RUNNING,
                                false,
                                List.of(
                                        timer("gone", 1, TIME),
                                        timer("late", 1, TIME.plusSeconds(1)),
                                        timer("old", 1, TIME)),
                                List.of()),
                        rows(
                                RunStatus.RUNNING,
                                false,
                                List.of(timer("late", 1, TIME), timer("lost", 1, TIME), timer("old", 2, TIME)),
                                List.of())));
    }

    @Test
    void tellsHumanTasksThatAreMissingTooManyOrAskOthers() {
        assertEquals(
                List.of(
                        "task a#1 was missing, is asks user:x",
                        "task b#1 was asks user:x, due 2026-11-29T12:00:00Z, is asks user:x",
                        "task c#1 was asks , is asks role:y",
                        "task d#1 was asks user:x, is missing"),
                told(
                        rows(
                                RunStatus.RUNNING,
                                false,
                                List.of(),
                                List.of(
                                        task("b#1", Optional.of(TIME), "user:x"),
                                        task("c#1", Optional.empty()),
                                        task("d#1", Optional.empty(), "user:x"))),
                        rows(
                                RunStatus.RUNNING,
                                false,
                                List.of(),
                                List.of(
                                        task("a#1", Optional.empty(), "user:x"),
                                        task("b#1", Optional.empty(), "user:x"),
                                        task("c#1", Optional.empty(), "role:y")))));
    }
}
