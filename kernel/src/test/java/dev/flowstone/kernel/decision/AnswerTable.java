package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.story.Story;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Tables of what each command is answered in each of {@link ControlSituations}, one word a cell:
 *
 * <ul>
 *   <li>{@code ok}: accepted, something changes; {@code same}: accepted, and nothing changes, because it is so already, or
 *       was answered like this before; {@code later}: kept, to be decided when the run goes on (R25).
 *   <li>Refused: {@code unborn} NOT_STARTED, {@code begun} ALREADY_STARTED, {@code state} INVALID_STATE, {@code held}
 *       SUSPENDED, {@code nobody} NOT_FOUND, {@code conflict} CONFLICT, {@code wrong} INVALID_COMMAND.
 * </ul>
 */
final class AnswerTable {
    private AnswerTable() {}

    /** Situation, command and word of each cell; every command of the head in every situation, once. */
    static List<Arguments> cells(String table, Set<String> commands) {
        List<String> lines = table.lines().toList();
        List<String> head = split(lines.getFirst());
        List<Arguments> cells = new ArrayList<>();
        Set<String> situations = new HashSet<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> row = split(line);
            assertEquals(head.size(), row.size(), line);
            assertEquals(true, situations.add(row.getFirst()), line);
            for (int i = 1; i < head.size(); i++) {
                cells.add(Arguments.of(row.getFirst(), head.get(i), row.get(i)));
            }
        }
        assertEquals(ControlSituations.names(), situations);
        assertEquals(commands, Set.copyOf(head.subList(1, head.size())));
        return cells;
    }

    private static List<String> split(String line) {
        return Stream.of(line.split("\\|", -1)).map(String::strip).toList();
    }

    /** What the run says to it. */
    static String word(Story story, Command command) {
        return switch (story.decide(command)) {
            case Decision.Rejected rejected -> word(rejected.code());
            case Decision.Needs needs -> needs.toString();
            case Decision.Accepted accepted when accepted.buffered() -> "later";
            case Decision.Accepted accepted -> accepted.events().isEmpty() ? "same" : "ok";
        };
    }

    private static String word(RejectionCode code) {
        return switch (code) {
            case NOT_STARTED -> "unborn";
            case ALREADY_STARTED -> "begun";
            case INVALID_STATE -> "state";
            case NOT_FOUND -> "nobody";
            case SUSPENDED -> "held";
            case CONFLICT -> "conflict";
            case INVALID_COMMAND -> "wrong";
            case LIMIT_EXCEEDED,
                    SIGNAL_BUFFER_FULL,
                    CONTEXT_TOO_LARGE,
                    NOT_ASSIGNED,
                    STALE_ACTIVATION,
                    STALE_SUBJECT_VERSION -> code.name();
        };
    }
}
