package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code subscriptions}: who gets which events. */
@Command(
        name = "subscriptions",
        header = "Who gets which events, and how far each has come.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone subscriptions put crm --file crm.json",
            "  flowstone subscriptions rewind crm --to 2026-11-28T12:00:00Z --reason \"lost by the CRM\"",
            "",
            RemoteExit.HELP
        })
final class SubscriptionsCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return SubscriptionVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
