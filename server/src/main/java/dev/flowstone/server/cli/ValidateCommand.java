package dev.flowstone.server.cli;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.call.KnownWorkflows;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.lint.Beyond;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.server.definition.Checked;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.node.Flowstone;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
            "  flowstone validate --strict order.json",
            "  flowstone validate --schema > states-1.json",
            "  flowstone validate --schema dag > dag-1.json",
            "",
            Exit.HELP
        })
final class ValidateCommand implements Callable<Integer> {
    /** What a workflow is written in. The names are what users type. */
    private enum Format {
        states,
        dag
    }

    private final Terminal terminal;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Option(names = "--strict", description = "Warnings and lints count as errors.")
    private boolean strict;

    @Option(
            names = "--schema",
            arity = "0..1",
            fallbackValue = "states",
            paramLabel = "FORMAT",
            description = "Print the JSON Schema of workflows as states, or as a dag, for editors, and look at no file:"
                    + " ${COMPLETION-CANDIDATES}; states if none is named.")
    private @Nullable Format schema;

    @Parameters(arity = "0..*", paramLabel = "FILE", description = "Definitions, JSON files.")
    private List<Path> files = new ArrayList<>();

    ValidateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (schema != null) {
            terminal.out().print(text(schema));
            return Exit.SUCCEEDED;
        }
        if (files.isEmpty()) {
            throw new UsageException("name a FILE, or ask for the --schema");
        }
        Dialects definitions = Flowstone.definitions(settings.config());
        long errors = 0;
        Beyond beside = new Beyond(new FilesBeside(files), new BundlesBeside(files));
        for (Path file : files) {
            errors += errors(definitions, file, beside);
        }
        if (errors > 0) {
            terminal.err().println(errors == 1 ? "1 fault" : errors + " faults");
        }
        return errors == 0 ? Exit.SUCCEEDED : Exit.INVALID;
    }

    /** Prints what is wrong with a file; one that can't be read doesn't keep the others from being looked at. */
    private long errors(Dialects definitions, Path file, Beyond beside) {
        try {
            Checked checked = definitions.check(Definitions.read(file), beside, KnownWorkflows.NOTHING);
            Definitions.print(terminal, file, checked);
            long errors = checked.faults().stream()
                    .filter(fault -> strict || fault.isError())
                    .count();
            if (checked.program().isPresent() && errors == 0) {
                terminal.out()
                        .println(file + ": " + terminal.green("valid") + ", "
                                + text(checked.program().get()));
            }
            return errors;
        } catch (UsageException e) {
            Failures.explain(terminal, e);
            return 1;
        }
    }

    private static String text(Format format) {
        return switch (format) {
            case states -> StatesDialect.schemaText();
            case dag -> DagDialect.schemaText();
        };
    }

    private static String text(Program program) {
        // The start is the compiler's, not the author's.
        return "workflow " + program.workflow() + ", " + (program.nodes().size() - 1) + " nodes, program "
                + ProgramCodec.hash(program).toString().substring(0, 12);
    }
}
