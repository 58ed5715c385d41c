package dev.flowstone.dialect.states;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.fault.StatesFault;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The users' pages say what the code does. */
final class DocumentationTest {
    @Test
    void theFormatsPageListsEveryFaultInTheirOrder() throws IOException {
        assertEquals(
                Stream.of(StatesFault.values()).map(StatesFault::id).toList(), listed("docs/states.md", "| `STATES-"));
    }

    @Test
    void theCatalogueHasEveryLintInTheirOrder() throws IOException {
        assertEquals(Stream.of(Lint.values()).map(Lint::id).toList(), listed("docs/lints.md", "## `LINT-"));
    }

    private static List<String> listed(String page, String beginning) throws IOException {
        return Files.readString(Sources.ROOT.resolve(page))
                .lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(line.indexOf('`') + 1, line.lastIndexOf('`')))
                .map(id -> id.contains("`") ? id.substring(0, id.indexOf('`')) : id)
                .toList();
    }
}
