package dev.flowstone.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The command line's entry; {@code ./flowstone} starts it. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Logging.toStandardError(System.getenv());
        System.exit(run(Terminal.ofProcess(), args));
    }

    static int run(Terminal terminal, String... args) {
        return commandLine(terminal, args).execute(args);
    }

    static CommandLine commandLine(Terminal terminal, String... args) {
        CommandLine line = withHelp(new FlowstoneCommand());
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Show the version.")
                        .build());
        for (Commands command : Commands.values()) {
            // What reflection finds out about a command costs; only help needs to know all of them.
            if (command.isMeantBy(args)) {
                line.addSubcommand(command.word(), withVerbs(terminal, command.create(terminal)));
            }
        }
        CommandLine.Help.Ansi ansi = terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
        line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setUsageHelpAutoWidth(true)
                .setAbbreviatedSubcommandsAllowed(false)
                // An argument that begins with @ is ours (--input @FILE), not a file of more arguments.
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler((thrown, command, parsed) -> Failures.explain(terminal, thrown))
                .setParameterExceptionHandler((thrown, arguments) -> Failures.usage(terminal, thrown));
        return line;
    }

    private static CommandLine withVerbs(Terminal terminal, Object command) {
        CommandLine line = withHelp(command);
        if (command instanceof ArchiveCommand archive) {
            archive.commands().forEach((name, one) -> line.addSubcommand(name, withHelp(one)));
        }
        if (command instanceof Group group) {
            for (Verb verb : group.verbs()) {
                line.addSubcommand(verb.name(), withHelp(new VerbCommand(terminal, verb, System.getenv()).spec()));
            }
            group.commands(terminal).forEach((name, one) -> line.addSubcommand(name, withHelp(one)));
        }
        return line;
    }

    private static CommandLine withHelp(Object command) {
        CommandLine line = new CommandLine(command);
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
        line.getCommandSpec().usageMessage().descriptionHeading("%n");
        return command instanceof ServeCommand ? ServeCommand.withSettings(line) : line;
    }
}
