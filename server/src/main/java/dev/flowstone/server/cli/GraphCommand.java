package dev.flowstone.server.cli;

import dev.flowstone.dialect.drawing.Drawing;
import dev.flowstone.dialect.drawing.Mermaid;
import dev.flowstone.dialect.drawing.RunOverlay;
import dev.flowstone.dialect.drawing.Svg;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.definition.Checked;
import dev.flowstone.server.execution.Progress;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.ReadAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code graph}: a definition, or a run with the path it took, as a drawing. */
@Command(
        name = "graph",
        header = "Draw a definition, or a run with the path it took.",
        footer = {
            "",
            "Examples:",
            "  flowstone graph my.json --output my.svg",
            "  flowstone graph my.json --format mermaid",
            "  flowstone graph 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d --output run.svg",
            "",
            Exit.HELP
        })
final class GraphCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(paramLabel = "FILE|RUN", description = "A definition's file, or a run's id.")
    private String subject = "";

    @Option(names = "--format", paramLabel = "svg|mermaid", description = "Default: what --output ends in, else svg.")
    private @Nullable Format format;

    @Option(names = "--output", paramLabel = "FILE", description = "Where to write it (default: standard output).")
    private @Nullable Path output;

    GraphCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** What a drawing is written as. */
    private enum Format {
        svg,
        mermaid
    }

    @Override
    public Integer call() throws Exception {
        Optional<RunId> run = Files.exists(Path.of(subject)) ? Optional.empty() : RunArgument.find(subject);
        return run.isPresent() ? drawRun(run.get()) : drawFile(Path.of(subject));
    }

    private int drawFile(Path file) throws Exception {
        Checked checked = Flowstone.definitions(store.config()).check(Definitions.read(file));
        Definitions.print(terminal, file, checked);
        return checked.program().isPresent() ? write(draw(checked.program().get(), Optional.empty())) : Exit.INVALID;
    }

    private int drawRun(RunId run) throws Exception {
        TenantId tenant = store.tenant();
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ReadAccess access = stop.opening(() -> ReadAccess.open(config));
            RunRow row = RunArgument.row(access.runs(), tenant, run);
            Progress progress = new Progress();
            access.history().replay(tenant, run, 1, progress::add);
            Program program = access.programs().program(tenant, row.program()).program();
            return write(draw(program, Optional.of(progress.overlay())));
        }
    }

    private String draw(Program program, Optional<RunOverlay> overlay) throws UsageException {
        return switch (format()) {
            case mermaid -> Mermaid.of(program, overlay);
            case svg ->
                switch (Svg.of(program, overlay)) {
                    case Drawing.Drawn(String text) -> text;
                    case Drawing.TooLarge(String message) -> throw new UsageException(message);
                };
        };
    }

    private Format format() {
        if (format != null) {
            return format;
        }
        String name = output == null ? "" : output.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".mmd") || name.endsWith(".mermaid") || name.endsWith(".md") ? Format.mermaid : Format.svg;
    }

    private int write(String drawing) throws UsageException {
        if (output == null) {
            terminal.out().print(drawing);
            terminal.out().flush();
            return Exit.SUCCEEDED;
        }
        try {
            Files.writeString(output, drawing);
        } catch (IOException e) {
            throw new UsageException(output + " can't be written: " + Definitions.reason(e));
        }
        terminal.err().println("Wrote " + output);
        return Exit.SUCCEEDED;
    }
}
