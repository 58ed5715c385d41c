package dev.flowstone.server.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code executions}: executions of a running server. */
@Command(
        name = "executions",
        header = "Start, list, follow executions, and act on one.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone executions start order --input @order-17.json",
            "  flowstone executions list --status Failed",
            "  flowstone executions follow EXECUTION",
            "  flowstone executions cancel EXECUTION --reason withdrawn",
            "",
            RemoteExit.HELP
        })
final class ExecutionsCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return ExecutionVerbs.all();
    }

    @Override
    public Map<String, Object> commands(Terminal terminal) {
        return Map.of("follow", new FollowCommand(terminal), "events", new EventsCommand(terminal));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
