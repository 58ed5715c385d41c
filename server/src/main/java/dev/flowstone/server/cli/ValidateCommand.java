package dev.flowstone.server.cli;

import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.server.definition.DagDefinitions;
import dev.flowstone.server.node.Flowstone;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code validate}: every fault of a definition, with its place and a remedy. */
@Command(
        name = "validate",
        header = "Check definitions, without running anything.",
        description = "Prints every fault: file:line:column, the JSON pointer, what is wrong, what to do.%n",
        footer = {
            "",
            "Examples:",
            "  flowstone validate my.json",
            "  flowstone validate workflows/*.json",
            "",
            Exit.HELP
        })
final class ValidateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Definitions, JSON files.")
    private List<Path> files = new ArrayList<>();

    ValidateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        DagDefinitions definitions = Flowstone.definitions(settings.config());
        long errors = 0;
        for (Path file : files) {
            errors += errors(definitions, file);
        }
        if (errors > 0) {
            terminal.err().println(errors == 1 ? "1 fault" : errors + " faults");
        }
        return errors == 0 ? Exit.SUCCEEDED : Exit.INVALID;
    }

    /** Prints what is wrong with a file; one that can't be read doesn't keep the others from being looked at. */
    private long errors(DagDefinitions definitions, Path file) {
        try {
            DagCompilation compilation = definitions.check(Definitions.read(file));
            Definitions.print(terminal, file, compilation);
            if (compilation instanceof DagCompilation.Compiled compiled) {
                terminal.out().println(file + ": " + terminal.green("valid") + ", " + text(compiled.program()));
            }
            return compilation.faults().stream().filter(Fault::isError).count();
        } catch (UsageException e) {
            Failures.explain(terminal, e);
            return 1;
        }
    }

    private static String text(Program program) {
        // The start is the compiler's, not the author's.
        return "workflow " + program.workflow() + ", " + (program.nodes().size() - 1) + " nodes, program "
                + ProgramCodec.hash(program).toString().substring(0, 12);
    }
}
