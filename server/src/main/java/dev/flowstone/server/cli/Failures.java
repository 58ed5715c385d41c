package dev.flowstone.server.cli;

import dev.flowstone.bench.torture.UnfinishedTortureException;
import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.server.config.ConfigException;
import dev.flowstone.server.node.CannotStartException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a command that can't do its work says, and its exit code. */
final class Failures {
    private static final System.Logger LOG = System.getLogger(Failures.class.getName());

    private Failures() {}

    static int explain(Terminal terminal, Exception thrown) {
        return switch (thrown) {
            case CannotStartException e -> say(terminal, String.valueOf(e.getMessage()), Exit.CANNOT_START);
            case ConfigException e -> say(terminal, String.valueOf(e.getMessage()), Exit.INVALID);
            case ArchiveRefusedException e -> say(terminal, String.valueOf(e.getMessage()), Exit.FAILED);
            case UsageException e -> say(terminal, String.valueOf(e.getMessage()), Exit.INVALID);
            case JournalException e ->
                say(terminal, "the database does not answer any more: " + e.getMessage(), Exit.CANNOT_START);
            case CorruptHistoryException e ->
                say(terminal, e.getMessage() + "; `flowstone verify` looks at every run", Exit.FAILED);
            case UnfinishedTortureException e -> {
                LOG.log(System.Logger.Level.DEBUG, "a torture could not go on", e);
                yield say(terminal, String.valueOf(e.getMessage()), Exit.FAILED);
            }
            default -> {
                LOG.log(System.Logger.Level.DEBUG, "a fault of ours", thrown);
                yield say(
                        terminal,
                        "a fault of ours, please report it: " + thrown + "\nFLOWSTONE_LOG=FINE says where it happened",
                        Exit.CANNOT_START);
            }
        };
    }

    static int usage(Terminal terminal, ParameterException thrown) {
        CommandLine command = thrown.getCommandLine();
        // What picocli says of a type is Java's word for it.
        String message =
                String.valueOf(thrown.getMessage()).replaceFirst("is not an? (int|long)$", "is no whole number");
        say(terminal, message, Exit.INVALID);
        UnmatchedArgumentException.printSuggestions(thrown, terminal.err());
        terminal.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
        return Exit.INVALID;
    }

    private static int say(Terminal terminal, String message, int code) {
        String printable = message.lines().map(Printable::text).collect(Collectors.joining("\n  "));
        terminal.err().println(terminal.red("flowstone:") + " " + printable);
        return code;
    }
}
