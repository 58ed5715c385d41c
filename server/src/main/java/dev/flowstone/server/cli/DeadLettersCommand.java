package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code dead-letters}: what could not be taken up. */
@Command(
        name = "dead-letters",
        header = "Look at what could not be taken up; try it again, or discard it.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone dead-letters list --state dead",
            "  flowstone dead-letters requeue 17 --comment \"the program is whole again\"",
            "",
            RemoteExit.HELP
        })
final class DeadLettersCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return DeadLetterVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
