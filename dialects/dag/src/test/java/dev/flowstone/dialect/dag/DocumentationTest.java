package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.dialect.dag.fault.FaultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The users' page says what the code does. */
final class DocumentationTest {
    @Test
    void listsEveryFaultCodeInTheirOrder() throws IOException {
        String page = Files.readString(Dags.ROOT.resolve("docs/dag.md"));

        List<String> listed = page.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .filter(name -> name.matches("[A-Z_]+"))
                .toList();

        assertEquals(Stream.of(FaultCode.values()).map(Enum::name).toList(), listed);
    }
}
