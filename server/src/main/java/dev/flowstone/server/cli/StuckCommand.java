package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code stuck}: runs that stand still. */
@Command(
        name = "stuck",
        header = "List runs that stand still, why, and what helps.",
        description =
                "Speaks to a running server: --server URL, or FLOWSTONE_SERVER. Without a command it lists them.%n",
        synopsisSubcommandLabel = "[COMMAND]",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone stuck",
            "  flowstone stuck --server http://10.0.0.7:8080",
            "  flowstone stuck list --kind no_progress,timer_overdue --limit 20",
            "  flowstone runs reenqueue RUN --reason \"its worker is back\"",
            "",
            RemoteExit.HELP
        })
final class StuckCommand implements Callable<Integer>, Group {
    private static final String LIST = "list";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** What the list takes, such as {@code --server}. */
    @Unmatched
    private List<String> words = new ArrayList<>();

    @Override
    public List<Verb> verbs() {
        return List.of(Verb.get(
                        LIST,
                        "List runs that stand still.",
                        "/stuck",
                        new Report.Rows(
                                List.of(
                                        new Column("RUN", "executionId"),
                                        new Column("WORKFLOW", "workflowId"),
                                        new Column("KIND", "kind"),
                                        new Column("SINCE", "since"),
                                        new Column("HELPS", "help"),
                                        new Column("WHY", "why")),
                                "Nothing stands still."),
                        "stuck list --kind no_progress")
                .flags(
                        Flag.may(
                                "--kind",
                                "kind",
                                Kind.TEXT,
                                "KIND,KIND",
                                "Only these: waits_for_nothing, rows_differ, damaged, no_progress, no_worker,"
                                        + " timer_overdue, message_waiting, letter_waiting, set_aside."),
                        SharedFlags.LIMIT,
                        SharedFlags.AFTER));
    }

    @Override
    public Integer call() {
        return requireNonNull(spec.commandLine().getSubcommands().get(LIST)).execute(words.toArray(String[]::new));
    }
}
