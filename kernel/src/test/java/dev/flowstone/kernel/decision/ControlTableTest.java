package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import dev.flowstone.kernel.story.WideHolds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command of an operator against every status of a run, every hold and every status of the activation it is about:
 * {@code ok} changes something, {@code same} is accepted and changes nothing, {@code later} is buffered; the others are
 * refusals: {@code state} is INVALID_STATE, {@code held} SUSPENDED, {@code nobody} NOT_FOUND.
 */
final class ControlTableTest {
    private static final String TABLE = """
            situation        | suspend   | resume    | drain     | cancel    | terminate | rollback  | retry     | skip      | fail      | force     | migrate   | attest    | answer b#1 | answer a#1 | answer a#-1 | hand out  | fire      | continue  | heed      | heed old
            unborn           | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted | unstarted  | unstarted  | unstarted   | unstarted | unstarted | unstarted | unstarted | unstarted
            running          | ok        | same      | ok        | ok        | ok        | state     | nobody    | nobody    | nobody    | ok        | ok        | nobody    | ok         | same       | conflict    | same      | ok        | same      | ok        | same
            parked           | ok        | same      | ok        | ok        | ok        | state     | ok        | ok        | ok        | ok        | ok        | nobody    | conflict   | same       | conflict    | state     | ok        | same      | ok        | same
            draining         | ok        | ok        | same      | ok        | ok        | held      | held      | nobody    | nobody    | ok        | ok        | nobody    | ok         | same       | conflict    | same      | ok        | same      | ok        | same
            suspended        | same      | ok        | state     | ok        | ok        | held      | held      | held      | held      | held      | ok        | nobody    | later      | later      | later       | later     | nobody    | same      | ok        | same
            suspended+parked | same      | ok        | state     | ok        | ok        | held      | held      | held      | held      | held      | ok        | nobody    | later      | later      | later       | later     | nobody    | same      | ok        | same
            held             | ok        | ok        | state     | ok        | ok        | held      | held      | held      | held      | held      | ok        | nobody    | later      | later      | later       | later     | nobody    | same      | ok        | same
            held drained     | ok        | ok        | ok        | ok        | ok        | held      | held      | nobody    | nobody    | ok        | ok        | nobody    | ok         | same       | conflict    | same      | ok        | same      | ok        | same
            held+suspended   | same      | ok        | state     | ok        | ok        | held      | held      | held      | held      | held      | ok        | nobody    | later      | later      | later       | later     | nobody    | same      | ok        | same
            waived           | ok        | same      | ok        | ok        | ok        | state     | nobody    | nobody    | nobody    | ok        | ok        | nobody    | ok         | same       | conflict    | same      | state     | same      | ok        | same
            catching up      | ok        | same      | ok        | ok        | ok        | state     | nobody    | nobody    | nobody    | ok        | state     | nobody    | later      | later      | later       | later     | later     | ok        | ok        | same
            running flow     | ok        | same      | ok        | ok        | ok        | ok        | nobody    | nobody    | nobody    | nobody    | state     | nobody    | ok         | same       | conflict    | same      | nobody    | same      | ok        | same
            rolling back     | ok        | same      | state     | ok        | ok        | state     | nobody    | nobody    | nobody    | nobody    | state     | nobody    | ok         | same       | conflict    | same      | nobody    | same      | ok        | same
            failing          | ok        | same      | state     | state     | ok        | state     | nobody    | nobody    | nobody    | nobody    | state     | nobody    | ok         | same       | conflict    | same      | nobody    | same      | ok        | same
            canceling        | state     | same      | state     | same      | ok        | state     | nobody    | nobody    | nobody    | nobody    | state     | nobody    | ok         | same       | conflict    | same      | nobody    | same      | same      | same
            compensating     | state     | same      | state     | same      | ok        | state     | nobody    | nobody    | nobody    | nobody    | state     | nobody    | ok         | same       | ok          | state     | nobody    | same      | same      | same
            attesting        | state     | same      | state     | same      | ok        | state     | nobody    | nobody    | nobody    | nobody    | state     | ok        | ok         | same       | ok          | state     | nobody    | same      | same      | same
            succeeded        | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | nobody    | conflict   | same       | conflict    | state     | nobody    | same      | same      | same
            failed           | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | nobody    | ok         | same       | conflict    | state     | nobody    | same      | same      | same
            canceled         | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | nobody    | ok         | same       | conflict    | state     | nobody    | same      | same      | same
            terminated       | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | state     | nobody    | ok         | same       | conflict    | state     | nobody    | same      | same      | same
            """;

    private static final Map<String, Supplier<Story>> SITUATIONS = new LinkedHashMap<>();
    private static final Map<String, Function<Story, Command>> COMMANDS = new LinkedHashMap<>();

    static {
        SITUATIONS.put("unborn", () -> Story.of(program()));
        SITUATIONS.put("running", ControlTableTest::running);
        SITUATIONS.put("parked", () -> running().failForGood("b"));
        SITUATIONS.put("draining", () -> running().accepted(drain()));
        SITUATIONS.put("suspended", () -> running().accepted(suspend()));
        SITUATIONS.put("suspended+parked", () -> running().failForGood("b").accepted(suspend()));
        SITUATIONS.put("held", () -> running().accepted(heed()));
        SITUATIONS.put("held drained", () -> running().accepted(WideHolds.heed(WideHolds.drain(4, 0))));
        SITUATIONS.put("held+suspended", () -> running().accepted(heed()).accepted(suspend()));
        SITUATIONS.put("waived", () -> running().accepted(heed()).accepted(new ControlCommand.ResumeRun("go on")));
        SITUATIONS.put(
                "catching up",
                () -> Story.of(program())
                        .with(Bounds.DEFAULT.withControl(new ControlBounds(10, 1)))
                        .start()
                        .ok("a", 1)
                        .accepted(suspend())
                        .answer("b", new TaskAnswer.Returned())
                        .answer("b", new TaskAnswer.Returned())
                        .accepted(new ControlCommand.ResumeRun("go on")));
        SITUATIONS.put("running flow", ControlTableTest::flow);
        SITUATIONS.put("rolling back", () -> flow().accepted(rollBack()));
        SITUATIONS.put("failing", () -> failing());
        SITUATIONS.put("canceling", () -> running().accepted(cancel()));
        SITUATIONS.put("compensating", () -> running().accepted(cancel()).answer("b", new TaskAnswer.TimedOut()));
        SITUATIONS.put(
                "attesting",
                () -> running()
                        .accepted(cancel())
                        .answer("b", new TaskAnswer.TimedOut())
                        .failForGood("a#-1"));
        SITUATIONS.put("succeeded", () -> running().ok("b").fire("t#1", 1));
        SITUATIONS.put(
                "failed", () -> failing().answer("b", new TaskAnswer.TimedOut()).ok("a#-1"));
        SITUATIONS.put(
                "canceled",
                () -> running()
                        .accepted(cancel())
                        .answer("b", new TaskAnswer.TimedOut())
                        .ok("a#-1"));
        SITUATIONS.put("terminated", () -> running().accepted(terminate()));

        COMMANDS.put("suspend", story -> suspend());
        COMMANDS.put("resume", story -> new ControlCommand.ResumeRun("go on"));
        COMMANDS.put("drain", story -> drain());
        COMMANDS.put("cancel", story -> cancel());
        COMMANDS.put("terminate", story -> terminate());
        COMMANDS.put("rollback", story -> rollBack());
        COMMANDS.put("retry", story -> new ControlCommand.RetryIncident(incident(story), Optional.empty()));
        COMMANDS.put("skip", story -> new ControlCommand.SkipIncident(incident(story), one()));
        COMMANDS.put("fail", story -> new ControlCommand.FailIncident(incident(story), TaskError.of("NO", "no")));
        COMMANDS.put("force", story -> new ControlCommand.ForceFireTimer(new TimerId("t#1")));
        COMMANDS.put("migrate", story -> new ControlCommand.MigrateRun(story.knowing(next()), 4, Map.of()));
        COMMANDS.put("attest", story -> new HumanCommand.Attest("a#-1", "by hand"));
        COMMANDS.put("answer b#1", story -> new Command.CompleteTask(story.id("b#1"), 1, new TaskAnswer.Ok(one())));
        COMMANDS.put("answer a#1", story -> new Command.CompleteTask(story.id("a#1"), 1, new TaskAnswer.Ok(one())));
        COMMANDS.put("answer a#-1", story -> new Command.CompleteTask(story.id("a#-1"), 1, new TaskAnswer.Ok(one())));
        COMMANDS.put("hand out", story -> new Command.HandOutTask(story.id("b#1"), 1));
        COMMANDS.put("fire", story -> new Command.FireTimer(new TimerId("t#1"), 1));
        COMMANDS.put("continue", story -> new Command.ContinueRun());
        COMMANDS.put("heed", story -> WideHolds.heed(WideHolds.suspend(5, 0)));
        COMMANDS.put(
                "heed old",
                story -> new ControlCommand.Heed(
                        story.state().heeded() == 0
                                ? List.of()
                                : List.of(WideHolds.suspend(story.state().heeded(), 0))));
    }

    /** a was done and can be undone; b is at work, t waits; a failure of b waits for a person. */
    private static Programs programs() {
        return Programs.dag()
                .onFailure(Scope.FailurePolicy.PARK)
                .undoable("a")
                .tasks("b")
                .timer("t", "PT1H")
                .edge("start", "a")
                .edge("a", "b")
                .edge("start", "t");
    }

    private static Program program() {
        return programs().deadline(Duration.ofHours(9)).build();
    }

    private static Program next() {
        return programs().task("c").edge("b", "c").build();
    }

    private static Story running() {
        return Story.of(program()).start().ok("a", 1);
    }

    private static Story failing() {
        return Story.of(programs()
                        .deadline(Duration.ofHours(9))
                        .onFailure(Scope.FailurePolicy.COMPENSATE)
                        .build())
                .start()
                .ok("a", 1)
                .fire("deadline", 1);
    }

    /** In a flow scope, the only kind that there is a way back in; there is no t. */
    private static Story flow() {
        return Story.of(Programs.flow()
                        .undoable("a")
                        .strictTask("b")
                        .end("end")
                        .chain("start", "a", "b", "end")
                        .build())
                .start()
                .ok("a", 1);
    }

    private static Command heed() {
        return WideHolds.heed(WideHolds.suspend(4, 0));
    }

    private static Command suspend() {
        return new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run");
    }

    private static Command drain() {
        return new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run");
    }

    private static Command cancel() {
        return new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty());
    }

    private static Command terminate() {
        return new ControlCommand.TerminateRun("now");
    }

    private static Command rollBack() {
        return new ControlCommand.RollBack(new NodeId("a"), "again");
    }

    private static Payload one() {
        return Payload.of(JsonNumber.of(1));
    }

    private static long incident(Story story) {
        List<Incident> open =
                story.state().lastSequence() == 0 ? List.of() : story.state().incidents();
        return open.isEmpty() ? 1 : open.getFirst().sequence();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void answersAsTheTableSays(String situation, String command, String expected) {
        Story story = requireNonNull(SITUATIONS.get(situation)).get();
        String answer =
                switch (story.decide(requireNonNull(COMMANDS.get(command)).apply(story))) {
                    case Decision.Rejected rejected -> word(rejected.code());
                    case Decision.Needs needs -> needs.toString();
                    case Decision.Accepted accepted when accepted.buffered() -> "later";
                    case Decision.Accepted accepted -> accepted.events().isEmpty() ? "same" : "ok";
                };
        assertEquals(expected, answer, story.tale());
    }

    static List<Arguments> cells() {
        List<String> lines = TABLE.lines().toList();
        List<String> commands = split(lines.getFirst());
        List<Arguments> cells = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> row = split(line);
            for (int i = 1; i < commands.size(); i++) {
                cells.add(Arguments.of(row.getFirst(), commands.get(i), row.get(i)));
            }
        }
        assertEquals(SITUATIONS.size() * COMMANDS.size(), cells.size(), "every command in every situation");
        return cells;
    }

    private static List<String> split(String line) {
        return Stream.of(line.split("\\|", -1)).map(String::strip).toList();
    }

    private static String word(RejectionCode code) {
        return switch (code) {
            case NOT_STARTED -> "unstarted";
            case INVALID_STATE -> "state";
            case NOT_FOUND -> "nobody";
            case SUSPENDED -> "held";
            case CONFLICT -> "conflict";
            case ALREADY_STARTED,
                    INVALID_COMMAND,
                    LIMIT_EXCEEDED,
                    SIGNAL_BUFFER_FULL,
                    CONTEXT_TOO_LARGE,
                    NOT_ASSIGNED,
                    STALE_ACTIVATION,
                    STALE_SUBJECT_VERSION -> code.name();
        };
    }
}
