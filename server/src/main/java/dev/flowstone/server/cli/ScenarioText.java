package dev.flowstone.server.cli;

import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.report.Coverage;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import dev.flowstone.testkit.scenario.report.TestReport;
import dev.flowstone.testkit.scenario.source.FileFault;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scenarios for a person: one line for what passed; for what failed, how it differs and what happened. */
final class ScenarioText {
    private static final int NAME_WIDTH = 50;

    private final Terminal terminal;
    private @Nullable Path file;

    ScenarioText(Terminal terminal) {
        this.terminal = terminal;
    }

    void result(ScenarioResult result) {
        if (!result.file().equals(file)) {
            file = result.file();
            out(terminal.bold(Printable.text(result.file().toString())));
        }
        String mark = result.passed() ? terminal.green("✓") : terminal.red("✗");
        String name = Printable.text(result.name());
        String gap = " ".repeat(Math.max(0, NAME_WIDTH - name.codePointCount(0, name.length())));
        out("  " + mark + " " + name + gap + "  "
                + terminal.dim(result.virtual() + " in " + result.real().toMillis() + " ms"));
        if (!result.passed()) {
            result.differences().forEach(it -> difference(result.file(), it));
            out("      " + terminal.dim("what happened"));
            result.timeline().forEach(line -> out("        " + terminal.dim(Printable.text(line))));
        }
    }

    private void difference(Path where, Difference difference) {
        out("      " + terminal.red(difference.key()) + "  "
                + terminal.dim(Printable.text(where + ":" + difference.line())));
        difference.lines().forEach(line -> out("        " + Printable.text(line)));
    }

    /** To standard error, as compilers write them. */
    void faults(TestReport report) {
        for (FileFault fault : report.faults()) {
            terminal.err()
                    .println(terminal.bold(Printable.text(fault.place()) + ":") + " " + terminal.red("error")
                            + (fault.pointer().isEmpty() ? "" : " " + Printable.text(fault.pointer())));
            terminal.err().println("    " + Printable.text(fault.message()));
        }
    }

    void end(TestReport report, boolean withCoverage) {
        if (withCoverage) {
            report.coverage().forEach(this::coverage);
        }
        out("");
        out(report.succeeded() ? terminal.green(report.summary()) : terminal.red(report.summary()));
    }

    private void coverage(Coverage coverage) {
        out("");
        out(terminal.bold("Coverage of " + Printable.text(coverage.definition())));
        part("nodes", coverage.nodesReached(), coverage.nodes(), coverage.missingNodes());
        part("edges", coverage.edgesReached(), coverage.edges(), coverage.missingEdges());
    }

    private void part(String what, int reached, int all, List<String> missing) {
        out("  " + what + "  " + reached + " of " + all + ", " + Coverage.percent(reached, all) + " %");
        missing.forEach(it -> out("    " + terminal.yellow("never reached") + "  " + Printable.text(it)));
    }

    private void out(String line) {
        terminal.out().println(line);
    }
}
