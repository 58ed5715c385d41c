package dev.flowstone.kernel.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.program.ProgramFault.Code;
import dev.flowstone.kernel.story.Asks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What of a human task is refused at publish. */
final class HumanCheckTest {
    private static final Outcome MAYBE = new Outcome("maybe");

    private static List<Code> faults(Asks asks) {
        return ProgramCheck.faults(Asks.flow(asks).build()).stream()
                .map(ProgramFault::code)
                .toList();
    }

    private static Asks ask() {
        return Asks.of("ask", "ann");
    }

    @Test
    void aSoundOneHasNoFault() {
        assertEquals(List.of(), faults(ask().vetoes(Asks.REJECTED).unmet(Asks.REJECTED)));
    }

    @Test
    void whatItDoesNotDeclareItCannotName() {
        assertEquals(List.of(Code.INVALID_OUTCOMES), faults(ask().vetoes(MAYBE)));
        assertEquals(List.of(Code.INVALID_OUTCOMES), faults(ask().unmet(MAYBE)));
        assertEquals(
                List.of(Code.INVALID_OUTCOMES),
                faults(ask().remind("end", "PT1H", new Reminder.Action.Resolve(MAYBE))));
    }

    @Test
    void anAbstentionSettlesNothing() {
        assertEquals(List.of(Code.INVALID_OUTCOMES), faults(ask().vetoes(Asks.PASS)));
    }

    @Test
    void remindersHaveNamesOfTheirOwn() {
        Reminder.Action remind = new Reminder.Action.Remind();
        for (String name : List.of("claim", "retry", "", "a b", "x".repeat(25))) {
            assertEquals(List.of(Code.INVALID_REMINDER), faults(ask().remind(name, "PT1H", remind)), name);
        }
        assertEquals(
                List.of(Code.INVALID_REMINDER),
                faults(ask().remind("a", "PT1H", remind).remind("a", "PT2H", remind)));
    }

    @Test
    void onlyATaskThatLeavesOnDriftHasThatOutcome() {
        assertEquals(List.of(Code.UNKNOWN_OUTCOME), withDriftEdge(ask()));
        assertEquals(List.of(), withDriftEdge(ask().drift(Drift.EXIT)));
    }

    private static List<Code> withDriftEdge(Asks asks) {
        return ProgramCheck.faults(
                        Asks.flow(asks).on(Outcome.DRIFT, "ask", "no").build())
                .stream()
                .map(ProgramFault::code)
                .toList();
    }
}
