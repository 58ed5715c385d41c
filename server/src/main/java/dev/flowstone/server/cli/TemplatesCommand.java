package dev.flowstone.server.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code templates}: what workflows and documents are made of. */
@Command(
        name = "templates",
        header = "Make workflows and documents of templates.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone templates list --official true",
            "  flowstone templates instantiate event-to-webhook --name 'Paid orders' --set endpoint=shop --set type=order.paid",
            "  flowstone templates render briefs mobile-app --answers '{\"title\": \"Gears\"}'",
            "",
            RemoteExit.HELP
        })
final class TemplatesCommand implements Callable<Integer>, Group {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public List<Verb> verbs() {
        return TemplateVerbs.all();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }
}
