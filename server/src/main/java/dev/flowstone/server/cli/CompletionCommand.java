package dev.flowstone.server.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code completion}: a script by which a shell completes commands and options. */
@Command(
        name = "completion",
        header = "Print a script by which a shell completes commands and options.",
        description = "The script is for the command `flowstone`, and knows this release's commands.%n",
        footer = {
            "",
            "Examples:",
            "  source <(flowstone completion bash)",
            "  flowstone completion zsh > ~/.flowstone.zsh && echo 'source ~/.flowstone.zsh' >> ~/.zshrc",
            "",
            Exit.HELP
        })
final class CompletionCommand implements Callable<Integer> {
    /** What lets zsh take a script of bash's. */
    private static final String FOR_ZSH = """
            autoload -U +X compinit && compinit
            autoload -U +X bashcompinit && bashcompinit
            """;

    private final Terminal terminal;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private String shell = "";

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws UsageException {
        // Without arguments every command is known.
        CommandLine all = Main.commandLine(terminal);
        String script = AutoComplete.bash("flowstone", all);
        switch (shell) {
            case "bash" -> terminal.out().print(script);
            case "zsh" -> terminal.out().print(FOR_ZSH + script);
            default -> throw new UsageException("completion is there for bash and zsh, not for '" + shell + "'");
        }
        terminal.out().flush();
        return Exit.SUCCEEDED;
    }
}
