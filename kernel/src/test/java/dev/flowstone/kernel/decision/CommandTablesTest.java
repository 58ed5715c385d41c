package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.story.HumanCommandTableTest;
import dev.flowstone.kernel.story.MessageTableTest;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of what commands and messages meet leave none out: a new one has no rest before it stands in one of them. */
final class CommandTablesTest {
    /** The records under a sealed interface. */
    private static Stream<Class<?>> leaves(Class<?> sealed) {
        return sealed.isSealed()
                ? Stream.of(sealed.getPermittedSubclasses()).flatMap(CommandTablesTest::leaves)
                : Stream.of(sealed);
    }

    private static Set<String> names(Stream<? extends Class<?>> kinds) {
        return kinds.map(Class::getSimpleName).collect(Collectors.toSet());
    }

    @Test
    void everyCommandStandsInATable() {
        Set<String> answered = Stream.of(
                        names(ControlTableTest.commands().stream()),
                        names(TaskAnswerTableTest.commands().stream()),
                        HumanCommandTableTest.commands(),
                        // Every row about runs that isn't this one is delivered.
                        Set.of("SendSignal", "Deliver"))
                .flatMap(Set::stream)
                .collect(Collectors.toSet());

        assertEquals(names(leaves(Command.class)), answered);
    }

    @Test
    void everyAnswerOfATaskStandsInItsTable() {
        assertEquals(names(leaves(TaskAnswer.class)), names(TaskAnswerTableTest.answers().stream()));
    }

    @Test
    void everyMessageStandsInTheTablesOfRunsAndOfAggregates() {
        Set<String> messages = names(leaves(Message.class));
        Set<String> toAggregates = Set.copyOf(MessageTableTest.toAggregates());

        assertEquals(
                Stream.concat(messages.stream(), Stream.of("SendSignal")).collect(Collectors.toSet()),
                MessageTableTest.toRuns());
        assertEquals(messages, toAggregates.stream().filter(messages::contains).collect(Collectors.toSet()));
    }
}
