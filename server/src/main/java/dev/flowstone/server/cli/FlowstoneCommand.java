package dev.flowstone.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code flowstone} without a command: help. */
@Command(
        name = "flowstone",
        header = "Durable workflows on PostgreSQL.",
        versionProvider = FlowstoneCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone run examples/dag/fan-out-fan-in.json",
            "  flowstone init my.json && flowstone validate my.json && flowstone run my.json",
            "  flowstone serve --port 8080",
            "",
            Exit.HELP
        })
final class FlowstoneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.INVALID;
    }

    /** What this build calls itself. */
    static final class Version implements IVersionProvider {
        static String number() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? "development" : version;
        }

        @Override
        public String[] getVersion() {
            return new String[] {
                "flowstone " + number(),
                "Java " + Runtime.version() + " on " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch")
            };
        }
    }
}
