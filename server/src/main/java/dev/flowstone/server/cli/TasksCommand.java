package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tasks}: what people are asked, and what they do with it. */
@Command(
        name = "tasks",
        header = "What people are asked: list, claim, decide, hand on.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone tasks mine --as anna --roles legal",
            "  flowstone tasks decide RUN review#1 --as anna --outcome approve",
            "",
            RemoteExit.HELP
        })
final class TasksCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return TaskVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
