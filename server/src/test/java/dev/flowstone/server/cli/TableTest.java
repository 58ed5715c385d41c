package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tables in windows. */
final class TableTest {
    private static List<String> printed(OptionalInt width) {
        return printed(width, Set.of());
    }

    private static List<String> printed(OptionalInt width, Set<String> whole) {
        StringWriter out = new StringWriter();
        Table table = new Table(List.of("RUN", "WORKFLOW", "MESSAGE"), whole);
        table.add(List.of("01935b5e-9c3a-7c1d", "a-workflow-of-a-long-name", "something that nobody has expected"));
        table.add(List.of("short", "order", "ok"));
        table.print(new Terminal(new PrintWriter(out), new PrintWriter(out), false, () -> width));
        return out.toString().lines().toList();
    }

    @Test
    void aTableIsCutFromItsLastColumnOnWhereTheWindowIsNarrow() {
        assertEquals(
                List.of(
                        "RUN                 WORKFLOW         MESSAGE",
                        "01935b5e-9c3a-7c1d  a-workflow-of-…  someth…",
                        "short               order            ok"),
                printed(OptionalInt.of(44)));
    }

    @Test
    void inAPipeItIsAsWideAsItIs() {
        assertEquals(
                "01935b5e-9c3a-7c1d  a-workflow-of-a-long-name  something that nobody has expected",
                printed(OptionalInt.empty()).get(1));
    }

    @Test
    void inAPipeNothingIsCutHoweverLongItIs() {
        StringWriter out = new StringWriter();
        Table table = new Table(List.of("RUN", "MESSAGE", "WHY"), Set.of());
        List<String> cells = List.of("r".repeat(200), "m".repeat(200), "w".repeat(200));
        table.add(cells);
        table.print(new Terminal(new PrintWriter(out), new PrintWriter(out), false, OptionalInt::empty));
        assertEquals(String.join("  ", cells), out.toString().lines().toList().get(1));
    }

    @Test
    void inAWindowLongCellsAreCutButNamesAndWhatThereIsToDoAreNot() {
        StringWriter out = new StringWriter();
        Table table = new Table(List.of("KIND", "FILE", "NAME", "WHY"), Set.of("NAME", "WHY"));
        table.add(List.of("k".repeat(50), "f".repeat(50), "n".repeat(50), "w".repeat(90)));
        table.print(new Terminal(new PrintWriter(out), new PrintWriter(out), false, () -> OptionalInt.of(40)));
        assertEquals(
                "k".repeat(50) + "  " + "f".repeat(5) + "…  " + "n".repeat(50) + "  " + "w".repeat(90),
                out.toString().lines().toList().get(1));
    }

    @Test
    void whatPeopleNameThingsByStaysWhole() {
        assertEquals(
                "01935b5e-9c3a-7c1d  a-workf…  someth…",
                printed(OptionalInt.of(10)).get(1));
    }
}
