package dev.flowstone.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code executions follow}: live, until it is over. */
@Command(
        name = "follow",
        header = "Show an execution from its beginning, live, until it is over.",
        description = "As `run` shows it. Ctrl-C stops the watching, never the execution.%n",
        footer = {
            "",
            "Example:",
            "  flowstone executions follow 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d",
            "",
            "Exit codes: 0 it succeeded or goes on, 1 it failed or was canceled, or the server refused,",
            "2 the call can't be meant, 3 no server answers."
        })
final class FollowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private RemoteOptions remote = new RemoteOptions(System.getenv());

    @Parameters(paramLabel = "RUN", description = "The execution's id.")
    private String run = "";

    FollowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        return remote.follow(terminal, RunArgument.parse(run), true);
    }
}
