package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code workflows}: drafts, versions, and what is done to all runs of a workflow. */
@Command(
        name = "workflows",
        header = "Show and change workflows, and move all runs of one.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone workflows list --status Active",
            "  flowstone workflows put --file order.json && flowstone workflows publish order",
            "  flowstone workflows migrate order --version 2 --nodes '{\"wait\": \"pause\"}'",
            "",
            RemoteExit.HELP
        })
final class WorkflowsCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return WorkflowVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
