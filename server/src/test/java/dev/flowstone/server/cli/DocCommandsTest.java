package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What looks at the pages sees what is wrong with them. */
final class DocCommandsTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void findsTheCommandsOfAText() {
        assertEquals(
                List.of(
                        List.of("tasks", "decide", "R", "review#1", "--outcome", "as agreed"),
                        List.of("serve", "--set", "node.name=a"),
                        List.of("runs")),
                DocCommands.in("""
                        $ ./flowstone tasks decide R review#1 --outcome "as agreed"   # says so
                        FLOWSTONE_TOKEN=x flowstone serve \\
                          --set node.name=a &
                        echo flowstone is good; bin/flowstone runs | head
                        """));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flowstone runs --no-such-option",
                "flowstone tasks decide R review#1",
                "flowstone tasks dance",
                "flowstone dance",
                "flowstone serve --set no.such.setting=1"
            })
    void aCommandThatThereIsNotIsNoticed(String line) {
        assertEquals(2, DocCommands.parsed(DocCommands.in(line).getFirst()).exit());
    }

    @Test
    void aNodeIsADefinitionsAndAnythingElseIsNone() throws Exception {
        assertTrue(DocJson.definition(DocJson.read("{\"id\": \"a\", \"actionType\": \"core.echo\", …}"))
                .isPresent());
        assertEquals(Optional.empty(), DocJson.definition(DocJson.read("[1, …]")));
    }

    @Test
    void javaThatDoesNotCompileIsNoticed() throws Exception {
        assertEquals(Optional.empty(), DocJava.faults("final class Good {}", folder));
        assertTrue(DocJava.faults("final class Bad { int a = \"\"; }", folder).isPresent());
    }

    @Test
    void aShellThatFailsIsNoticed() throws Exception {
        try (DocShell shell = new DocShell(folder.resolve("shell"), Path.of(".."), "http://127.0.0.1:1", "a")) {
            assertTrue(shell.run("flowstone schedule @daily --count 1 | wc -l").startsWith("2"));
            assertThrows(AssertionError.class, () -> shell.run("flowstone dance\necho goes on"));
            assertThrows(AssertionError.class, () -> shell.run("flowstone health"));
        }
    }

    @Test
    void blocksAreReadWithTheirNotesAndWithoutTheirIndent() throws Exception {
        Path page = Files.writeString(folder.resolve("page.md"), """
                1. One

                   <!-- doc: shown -->
                   ```sh
                   echo 1
                     echo 2
                   ```
                ```
                """);

        assertThrows(AssertionError.class, () -> DocBlock.of(page), "the last one doesn't end");
        Files.writeString(page, Files.readString(page) + "```\n");
        List<DocBlock> blocks = DocBlock.of(page);
        assertEquals(new DocBlock(page, 4, "sh", "shown", "echo 1\n  echo 2\n"), blocks.getFirst());
        assertEquals("", blocks.getLast().language());
        assertFalse(DocBlock.pages(Path.of("..")).isEmpty());
    }
}
