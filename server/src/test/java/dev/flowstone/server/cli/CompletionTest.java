package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a shell offers who has typed a part. */
final class CompletionTest {
    @TempDir
    private Path folder;

    /** What bash's own completion would be told, for words of which the last is to be completed. */
    private List<String> offered(String... words) throws Exception {
        Path script = folder.resolve("flowstone.bash");
        Files.writeString(script, Cli.here("completion", "bash").out());
        Path asked = folder.resolve("ask.bash");
        String typed = String.join(" ", words);
        Files.writeString(asked, """
                source "$1"
                COMP_WORDS=(%s "")
                [ -n "%s" ] && unset 'COMP_WORDS[-1]'
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMP_LINE="%s"
                COMP_POINT=${#COMP_LINE}
                _complete_flowstone
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(typed, words[words.length - 1], typed));
        Process bash = new ProcessBuilder("bash", "--norc", asked.toString(), script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        bash.getOutputStream().close();
        List<String> lines = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
        assertEquals(0, bash.waitFor());
        return lines;
    }

    @Test
    void bashCompletesCommandsTheirCommandsAndOptions() throws Exception {
        assertEquals(List.of("apply"), offered("flowstone", "app"));
        assertTrue(offered("flowstone", "tri").contains("triggers"));
        assertEquals(List.of("reassign"), offered("flowstone", "tasks", "rea"));
        assertEquals(List.of("follow"), offered("flowstone", "executions", "fol"));
        assertEquals(List.of("disable"), offered("flowstone", "actions", "dis"));
        assertEquals(List.of("--connector"), offered("flowstone", "actions", "list", "--con"));
        assertEquals(List.of("--prune"), offered("flowstone", "apply", "--pr"));
        assertEquals(List.of("--per-second"), offered("flowstone", "dead-letters", "requeue-all", "--per"));
    }

    @Test
    void zshLoadsWhatItNeedsFirstAndOtherShellsAreNotMeant() {
        Said zsh = Cli.here("completion", "zsh");
        assertTrue(zsh.out().startsWith("autoload -U +X compinit && compinit\n"), zsh::out);
        assertTrue(zsh.out().contains("complete -F _complete_flowstone"), zsh::out);
        Said fish = Cli.here("completion", "fish");
        assertEquals(2, fish.exit());
        assertTrue(fish.err().contains("bash and zsh"), fish::err);
    }
}
