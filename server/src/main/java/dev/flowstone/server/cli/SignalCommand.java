package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code signal}: tells runs that something has happened. */
@Command(
        name = "signal",
        header = "Tell runs that something has happened.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone signal send paid order-7 --payload '{\"amount\": 120}'",
            "  flowstone signal broadcast open-for-business shop",
            "",
            RemoteExit.HELP
        })
final class SignalCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return SignalVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
