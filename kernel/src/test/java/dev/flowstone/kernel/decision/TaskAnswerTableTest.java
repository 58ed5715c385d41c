package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.story.Story;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an attempt's answer meets (R11, R12, R23, R24), of b, of a, which was done, and of what undoes a. Read a cell as
 * {@link AnswerTable} says. What is not obvious:
 *
 * <ul>
 *   <li>Where b was canceled with its attempt under way (failing, canceling, terminating) every answer counts, for the run's
 *       end waits for it (R23); where that attempt timed out or was given up, only a success does: a real effect is never
 *       forgotten, also not after the end (R12).
 *   <li>Where b has settled by itself the answer that was recorded is accepted again, and another one is a conflict. A
 *       success of what has failed is none: its effect is recorded, also while a person decides about the failure (parked).
 *       What says nothing about the work (timeout, lost, returned) is no contradiction.
 *   <li>What undoes a answers like a task, but a late success counts also when it had failed for good, and settles what a
 *       person was asked about. Where nothing undoes a, there is no such work: {@code nobody}; after the run's end its failure is no
 *       news.
 *   <li>{@code out} hands out again what came back unused; an attempt that is out already is so, and one that is over is
 *       {@code state}.
 * </ul>
 */
final class TaskAnswerTableTest {
    private static final String TABLE = """
            situation          | b ok     | b skipped | b retryable | b permanent | b denied | b limit  | b timeout | b lost | b returned | b out  | a again | a other  | undo ok  | undo fails | undo out | b links
            unborn             | unborn   | unborn    | unborn      | unborn      | unborn   | unborn   | unborn    | unborn   | unborn     | unborn   | unborn   | unborn   | unborn   | unborn     | unborn   | unborn
            running            | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            parked             | conflict | conflict  | conflict    | same        | conflict | conflict | same      | same     | same       | state    | same     | conflict | nobody   | nobody     | state    | conflict
            b waits for retry  | ok       | ok        | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | nobody   | nobody     | state    | conflict
            b skipped          | conflict | same      | conflict    | conflict    | conflict | conflict | same      | same     | same       | state    | same     | conflict | nobody   | nobody     | state    | conflict
            b lost             | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            b ready            | nobody   | nobody    | nobody      | nobody      | nobody   | nobody   | nobody    | nobody   | nobody     | state    | same     | conflict | nobody   | nobody     | state    | conflict
            draining           | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            draining+parked    | conflict | conflict  | conflict    | same        | conflict | conflict | same      | same     | same       | state    | same     | conflict | nobody   | nobody     | state    | conflict
            suspended          | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            suspended+parked   | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            suspended+buffered | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            suspended, t runs  | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            tenant suspended   | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            tenant drains      | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            suspended twice    | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            waived             | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            catching up        | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            running flow       | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            rolling back       | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            failing            | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            failing, suspended | later    | later     | later       | later       | later    | later    | later     | later    | later      | later    | later    | later    | later    | later      | later    | later
            failed, undoing    | ok       | same      | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | ok       | ok         | same     | conflict
            canceling          | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            canceled, undoing  | ok       | same      | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | ok       | ok         | same     | conflict
            attesting          | ok       | same      | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | ok       | same       | state    | conflict
            terminating        | ok       | ok        | ok          | ok          | ok       | ok       | ok        | ok       | ok         | same     | same     | conflict | nobody   | nobody     | state    | ok
            succeeded          | same     | conflict  | conflict    | conflict    | conflict | conflict | same      | same     | same       | state    | same     | conflict | nobody   | same       | state    | conflict
            failed             | ok       | same      | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | same     | same       | state    | conflict
            canceled           | ok       | same      | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | same     | same       | state    | conflict
            terminated         | ok       | same      | same        | same        | same     | same     | same      | same     | same       | state    | same     | conflict | nobody   | same       | state    | conflict
            """;

    private static final Map<String, Command> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("b ok", answer("b#1", one()));
        COMMANDS.put("b skipped", answer("b#1", new TaskAnswer.Skipped("no need")));
        COMMANDS.put("b retryable", answer("b#1", Story.failed(FailureClass.RETRYABLE)));
        COMMANDS.put("b permanent", answer("b#1", Story.failed(FailureClass.PERMANENT)));
        COMMANDS.put("b denied", answer("b#1", Story.failed(FailureClass.POLICY_DENIED)));
        COMMANDS.put("b limit", answer("b#1", Story.failed(FailureClass.EXTERNAL_LIMIT)));
        COMMANDS.put("b timeout", answer("b#1", new TaskAnswer.TimedOut()));
        COMMANDS.put("b lost", answer("b#1", new TaskAnswer.Lost()));
        COMMANDS.put("b returned", answer("b#1", new TaskAnswer.Returned()));
        COMMANDS.put("b out", new Command.HandOutTask(ActivationId.parse("b#1"), 1));
        COMMANDS.put("b links", links());
        COMMANDS.put("a again", answer("a#1", one()));
        COMMANDS.put("a other", answer("a#1", new TaskAnswer.Ok(Payload.of(JsonNumber.of(2)))));
        COMMANDS.put("undo ok", answer("a#-1", one()));
        COMMANDS.put("undo fails", answer("a#-1", Story.failed(FailureClass.PERMANENT)));
        COMMANDS.put("undo out", new Command.HandOutTask(ActivationId.parse("a#-1"), 1));
    }

    private static Command links() {
        return new Command.LinkResources(
                ActivationId.parse("b#1"), 1, List.of(new ResourceLink("Order", "4711", Payload.of(JsonNumber.of(1)))));
    }

    private static Command answer(String activation, TaskAnswer answer) {
        return new Command.CompleteTask(ActivationId.parse(activation), 1, answer);
    }

    private static TaskAnswer one() {
        return new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)));
    }

    /** The kinds of command that have a column. */
    static Set<Class<?>> commands() {
        return COMMANDS.values().stream().<Class<?>>map(Command::getClass).collect(Collectors.toSet());
    }

    /** The kinds of answer that have one. */
    static Set<Class<?>> answers() {
        return COMMANDS.values().stream()
                .filter(Command.CompleteTask.class::isInstance)
                .<Class<?>>map(
                        command -> ((Command.CompleteTask) command).answer().getClass())
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("cells")
    void answersAsTheTableSays(String situation, String command, String expected) {
        Story story = ControlSituations.of(situation);
        assertEquals(expected, AnswerTable.word(story, requireNonNull(COMMANDS.get(command))), story::tale);
    }

    static List<Arguments> cells() {
        return AnswerTable.cells(TABLE, COMMANDS.keySet());
    }
}
