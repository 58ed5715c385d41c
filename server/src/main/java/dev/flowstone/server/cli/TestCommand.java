package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.testkit.scenario.ScenarioFiles;
import dev.flowstone.testkit.scenario.report.JunitXml;
import dev.flowstone.testkit.scenario.report.ReportJson;
import dev.flowstone.testkit.scenario.report.TestReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code test}: scenario files against definitions, in memory and in virtual time. */
@Command(
        name = "test",
        header = "Run scenario files: given, when, then; in virtual time, without a database.",
        description = "A scenario of days takes milliseconds, and takes the same way each time. docs/scenarios.md has"
                + " the format.%n",
        footer = {
            "",
            "Examples:",
            "  flowstone test examples/scenarios",
            "  flowstone test order.scenario.yaml --coverage",
            "  flowstone test workflows --junit target/scenarios.xml",
            "",
            "Exit codes: 0 all passed, 1 one failed, 2 a file or the call is invalid."
        })
final class TestCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "PATH",
            description = "Scenario files, or folders that are searched for *.scenario.yaml, .yml and .json.")
    private List<Path> paths = new ArrayList<>();

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the report as JUnit XML, too.")
    private @Nullable Path junit;

    @Option(names = "--coverage", description = "Tell which nodes and edges of each definition were reached.")
    private boolean coverage;

    @Option(names = "--json", description = "Print the report as one JSON object.")
    private boolean json;

    TestCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        settings.config();
        ScenarioText text = new ScenarioText(terminal);
        ScenarioFiles files = new ScenarioFiles(new ScenarioCompilers(settings));
        TestReport report = files.run(paths, result -> {
            if (!json) {
                text.result(result);
            }
        });
        text.faults(report);
        if (json) {
            terminal.out().println(CanonicalJson.exactText(ReportJson.of(report, coverage)));
        } else {
            text.end(report, coverage);
        }
        if (junit != null) {
            write(junit, JunitXml.of(report));
        }
        if (!report.faults().isEmpty()) {
            return Exit.INVALID;
        }
        return report.failed() == 0 ? Exit.SUCCEEDED : Exit.FAILED;
    }

    private static void write(Path file, String xml) throws UsageException {
        try {
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
            Files.writeString(file, xml);
        } catch (IOException e) {
            throw new UsageException(file + " can't be written: " + Definitions.reason(e));
        }
    }
}
