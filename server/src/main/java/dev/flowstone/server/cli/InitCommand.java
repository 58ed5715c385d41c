package dev.flowstone.server.cli;

import dev.flowstone.dialect.dag.DagDialect;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code init}: a definition to begin with. */
@Command(
        name = "init",
        header = "Write an example to begin with: it runs, and explains itself.",
        footer = {"", "Example:", "  flowstone init my.json && flowstone run my.json", "", Exit.HELP})
final class InitCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "workflow.json",
            description = "Where to write it (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("workflow.json");

    InitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        try {
            Files.writeString(file, DagDialect.starter(), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(file + " exists already; name another file");
        } catch (IOException e) {
            throw new UsageException(file + " can't be written: " + Definitions.reason(e));
        }
        terminal.out().println("Wrote " + file + ". Next: " + Hints.COMMAND + " run " + file);
        return Exit.SUCCEEDED;
    }
}
