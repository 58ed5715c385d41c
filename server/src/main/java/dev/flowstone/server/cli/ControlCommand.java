package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code control}: whole scopes are held, and let go. */
@Command(
        name = "control",
        header = "Hold all runs of a workflow, a tenant or the system; let them go.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone control suspend workflow --workflow orders --reason audit",
            "  flowstone control drain system --reason upgrade --within 10m",
            "  flowstone control resume tenant --tenant acme --reason done",
            "  flowstone control list",
            "",
            RemoteExit.HELP
        })
final class ControlCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return ControlVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
