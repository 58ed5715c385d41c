package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.story.Story;
import dev.flowstone.kernel.story.WideHolds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What operators may do, and when (R24 to R26). Read a cell as {@link AnswerTable} says. What is not obvious:
 *
 * <ul>
 *   <li>A hold comes first: {@code held} says nothing about whether there is an incident, a mark or a timer. A suspended run
 *       decides nothing, so an operator's commands are refused rather than kept (R25): all that would set something going,
 *       and a retry also while the run drains, for it would begin something outside. Only what ends the run or moves it to
 *       another program goes through.
 *   <li>Nothing holds up a cancellation: it lifts a suspension, for undoing only, and can't be suspended (R25). A run that
 *       fails or undoes after a failure can be held, and can't be canceled: it is on its way to its end, and can be
 *       terminated.
 *   <li>{@code rollback} is {@code state} wherever the root is a settling scope: there a node settles once (R6). That there
 *       is a way back show the lines with a flow.
 *   <li>{@code fail run} fails it as its deadline does: one that fails keeps its first reason, and one that is held is
 *       resumed first, or terminated.
 *   <li>A run moves to another program while it waits, held or not (R26). One that catches up has work to decide.
 *   <li>{@code fire} is the shard's: a frozen timer isn't set (R25), one that runs on is kept until the run goes on, and so is
 *       what falls due before older input has had its turn.
 *   <li>{@code force} is {@code state} in a run that terminates: it stops now, and nothing in it is begun early (R25).
 *   <li>What holds the tenant holds the run like a suspension of its own, which can be put on top of it; {@code waived} is
 *       a run that was resumed all the same. {@code heed} records a new setting, and none that is recorded already (R25).
 *   <li>{@code attest} is about what undoes a, which was asked for in one line only.
 * </ul>
 */
final class ControlTableTest {
    private static final String TABLE = """
            situation          | start | start from | suspend | resume | drain  | cancel | fail run | terminate | rollback | retry  | skip   | fail   | force  | migrate | attest | fire   | continue | heed   | heed old
            unborn             | ok    | ok         | unborn  | unborn | unborn | unborn | unborn   | unborn    | unborn   | unborn | unborn | unborn | unborn | unborn  | unborn | unborn | unborn   | unborn | unborn
            running            | begun | begun      | ok      | same   | ok     | ok     | ok       | ok        | state    | nobody | nobody | nobody | ok     | ok      | nobody | ok     | same     | ok     | same
            parked             | begun | begun      | ok      | same   | ok     | ok     | ok       | ok        | state    | ok     | ok     | ok     | ok     | ok      | nobody | ok     | same     | ok     | same
            b waits for retry  | begun    | begun      | ok       | same     | ok       | ok       | ok       | ok        | state    | nobody   | nobody   | nobody   | ok       | ok       | nobody   | ok       | same     | ok       | same
            b skipped          | begun    | begun      | ok       | same     | ok       | ok       | ok       | ok        | state    | nobody   | nobody   | nobody   | ok       | state    | nobody   | ok       | same     | ok       | same
            b lost             | begun    | begun      | ok       | same     | ok       | ok       | ok       | ok        | state    | nobody   | nobody   | nobody   | ok       | state    | nobody   | ok       | same     | ok       | same
            b ready            | begun    | begun      | ok       | ok       | same     | ok       | ok       | ok        | held     | held     | nobody   | nobody   | ok       | ok       | nobody   | ok       | same     | ok       | same
            draining           | begun | begun      | ok      | ok     | same   | ok     | ok       | ok        | held     | held   | nobody | nobody | ok     | ok      | nobody | ok     | same     | ok     | same
            draining+parked    | begun | begun      | ok      | ok     | same   | ok     | ok       | ok        | held     | held   | ok     | ok     | ok     | ok      | nobody | ok     | same     | ok     | same
            suspended          | begun | begun      | same    | ok     | state  | ok     | held     | ok        | held     | held   | held   | held   | held   | ok      | nobody | nobody | same     | ok     | same
            suspended+parked   | begun | begun      | same    | ok     | state  | ok     | held     | ok        | held     | held   | held   | held   | held   | ok      | nobody | nobody | same     | ok     | same
            suspended+buffered | begun | begun      | same    | ok     | state  | ok     | held     | ok        | held     | held   | held   | held   | held   | ok      | nobody | nobody | same     | ok     | same
            suspended, t runs  | begun | begun      | same    | ok     | state  | ok     | held     | ok        | held     | held   | held   | held   | held   | ok      | nobody | later  | same     | ok     | same
            tenant suspended   | begun | begun      | ok      | ok     | state  | ok     | held     | ok        | held     | held   | held   | held   | held   | ok      | nobody | nobody | same     | ok     | same
            tenant drains      | begun | begun      | ok      | ok     | ok     | ok     | ok       | ok        | held     | held   | nobody | nobody | ok     | ok      | nobody | ok     | same     | ok     | same
            suspended twice    | begun | begun      | same    | ok     | state  | ok     | held     | ok        | held     | held   | held   | held   | held   | ok      | nobody | nobody | same     | ok     | same
            waived             | begun | begun      | ok      | same   | ok     | ok     | ok       | ok        | state    | nobody | nobody | nobody | ok     | ok      | nobody | state  | same     | ok     | same
            catching up        | begun | begun      | ok      | same   | ok     | ok     | ok       | ok        | state    | nobody | nobody | nobody | ok     | state   | nobody | later  | ok       | ok     | same
            running flow       | begun | begun      | ok      | same   | ok     | ok     | ok       | ok        | ok       | nobody | nobody | nobody | nobody | ok      | nobody | nobody | same     | ok     | same
            rolling back       | begun | begun      | ok      | same   | state  | ok     | ok       | ok        | state    | nobody | nobody | nobody | nobody | state   | nobody | nobody | same     | ok     | same
            failing            | begun | begun      | ok      | same   | state  | state  | same     | ok        | state    | nobody | nobody | nobody | nobody | state   | nobody | nobody | same     | ok     | same
            failing, suspended | begun | begun      | same    | ok     | state  | state  | held     | ok        | held     | held   | held   | held   | held   | state   | nobody | nobody | same     | ok     | same
            failed, undoing    | begun | begun      | ok      | same   | state  | state  | same     | ok        | state    | nobody | nobody | nobody | nobody | state   | nobody | nobody | same     | ok     | same
            canceling          | begun | begun      | state   | same   | state  | same   | state    | ok        | state    | nobody | nobody | nobody | nobody | state   | nobody | nobody | same     | same   | same
            canceled, undoing  | begun | begun      | state   | same   | state  | same   | state    | ok        | state    | nobody | nobody | nobody | nobody | state   | nobody | nobody | same     | same   | same
            attesting          | begun | begun      | state   | same   | state  | same   | state    | ok        | state    | nobody | nobody | nobody | nobody | state   | ok     | nobody | same     | same   | same
            terminating        | begun | begun      | state   | same   | state  | same   | state    | same      | state    | nobody | nobody | nobody | state  | state   | nobody | ok     | ok       | same   | same
            succeeded          | begun | begun      | state   | state  | state  | state  | state    | state     | state    | state  | state  | state  | state  | state   | nobody | nobody | same     | same   | same
            failed             | begun | begun      | state   | state  | state  | state  | state    | state     | state    | state  | state  | state  | state  | state   | nobody | nobody | same     | same   | same
            canceled           | begun | begun      | state   | state  | state  | state  | state    | state     | state    | state  | state  | state  | state  | state   | nobody | nobody | same     | same   | same
            terminated         | begun | begun      | state   | state  | state  | state  | state    | state     | state    | state  | state  | state  | state  | state   | nobody | nobody | same     | same   | same
            """;

    private static final Map<String, Function<Story, Command>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("start", story -> story.startCommand(Map.of()));
        COMMANDS.put("start from", story -> from());
        COMMANDS.put("suspend", story -> ControlSituations.suspend());
        COMMANDS.put("resume", story -> new ControlCommand.ResumeRun("go on"));
        COMMANDS.put("drain", story -> ControlSituations.drain());
        COMMANDS.put("cancel", story -> ControlSituations.cancel());
        COMMANDS.put("terminate", story -> ControlSituations.terminate());
        COMMANDS.put("fail run", story -> new ControlCommand.FailRun("no way on"));
        COMMANDS.put("rollback", story -> ControlSituations.rollBack());
        COMMANDS.put("retry", story -> new ControlCommand.RetryIncident(incident(story), Optional.empty()));
        COMMANDS.put("skip", story -> new ControlCommand.SkipIncident(incident(story), one()));
        COMMANDS.put("fail", story -> new ControlCommand.FailIncident(incident(story), TaskError.of("NO", "no")));
        COMMANDS.put("force", story -> new ControlCommand.ForceFireTimer(new TimerId("t#1")));
        COMMANDS.put(
                "migrate",
                story -> new ControlCommand.MigrateRun(story.knowing(ControlSituations.next(story)), 4, Map.of()));
        COMMANDS.put("attest", story -> new HumanCommand.Attest("a#-1", "by hand"));
        COMMANDS.put("fire", story -> new Command.FireTimer(new TimerId("t#1"), 1));
        COMMANDS.put("continue", story -> new Command.ContinueRun());
        COMMANDS.put("heed", story -> WideHolds.heed(WideHolds.suspend(9, 0)));
        COMMANDS.put("heed old", ControlTableTest::heedOld);
    }

    /** At a point at which another run was, of the same program as most. */
    private static Command from() {
        Story other = ControlSituations.of("running");
        return new ControlCommand.StartFrom(
                new TenantId("acme"),
                RunId.of(Story.BIRTH.plusSeconds(60), new Slot(9), 77),
                3,
                other.state().run(),
                other.state().lastSequence(),
                other.state().toJson());
    }

    /** What the run has recorded already, if anything. */
    private static Command heedOld(Story story) {
        long heeded = story.state().lastSequence() == 0 ? 0 : story.state().heeded();
        return heeded == 0 ? WideHolds.heed() : WideHolds.heed(WideHolds.go(heeded, 0));
    }

    private static Payload one() {
        return Payload.of(JsonNumber.of(1));
    }

    private static long incident(Story story) {
        List<Incident> open =
                story.state().lastSequence() == 0 ? List.of() : story.state().incidents();
        return open.isEmpty() ? 1 : open.getFirst().sequence();
    }

    /** The kinds of command that have a column. */
    static Set<Class<?>> commands() {
        Story story = ControlSituations.of("running");
        return COMMANDS.values().stream()
                .<Class<?>>map(command -> command.apply(story).getClass())
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("cells")
    void answersAsTheTableSays(String situation, String command, String expected) {
        Story story = ControlSituations.of(situation);
        Command asked = requireNonNull(COMMANDS.get(command)).apply(story);
        assertEquals(expected, AnswerTable.word(story, asked), story::tale);
    }

    static List<Arguments> cells() {
        return AnswerTable.cells(TABLE, COMMANDS.keySet());
    }
}
