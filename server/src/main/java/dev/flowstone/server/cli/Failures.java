package dev.flowstone.server.cli;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.server.config.ConfigException;
import dev.flowstone.server.node.CannotStartException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a command that can't do its work says, and its exit code. */
final class Failures {
    private Failures() {}

    static int explain(Terminal terminal, Exception thrown) {
        return switch (thrown) {
            case CannotStartException e -> say(terminal, String.valueOf(e.getMessage()), Exit.CANNOT_START);
            case ConfigException e -> say(terminal, String.valueOf(e.getMessage()), Exit.INVALID);
            case UsageException e -> say(terminal, String.valueOf(e.getMessage()), Exit.INVALID);
            case JournalException e ->
                say(terminal, "the database does not answer any more: " + e.getMessage(), Exit.CANNOT_START);
            case CorruptHistoryException e ->
                say(terminal, e.getMessage() + "; `flowstone verify` looks at every run", Exit.FAILED);
            default -> {
                terminal.err().println("flowstone: a fault of ours, please report it:");
                thrown.printStackTrace(terminal.err());
                yield Exit.CANNOT_START;
            }
        };
    }

    static int usage(Terminal terminal, ParameterException thrown) {
        CommandLine command = thrown.getCommandLine();
        say(terminal, String.valueOf(thrown.getMessage()), Exit.INVALID);
        UnmatchedArgumentException.printSuggestions(thrown, terminal.err());
        terminal.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
        return Exit.INVALID;
    }

    private static int say(Terminal terminal, String message, int code) {
        terminal.err().println(terminal.red("flowstone:") + " " + Printable.text(message));
        return code;
    }
}
