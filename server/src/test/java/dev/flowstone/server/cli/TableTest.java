package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tables in windows. */
final class TableTest {
    private static List<String> printed(OptionalInt width) {
        StringWriter out = new StringWriter();
        Table table = new Table(List.of("RUN", "WORKFLOW", "MESSAGE"));
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
    void whatPeopleNameThingsByStaysWhole() {
        assertEquals(
                "01935b5e-9c3a-7c1d  a-workf…  someth…",
                printed(OptionalInt.of(10)).get(1));
    }
}
