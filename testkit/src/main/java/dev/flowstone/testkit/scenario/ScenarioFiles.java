package dev.flowstone.testkit.scenario;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.scenario.file.Compilers;
import dev.flowstone.testkit.scenario.file.DialectCompilers;
import dev.flowstone.testkit.scenario.file.Discovery;
import dev.flowstone.testkit.scenario.file.ReadFile;
import dev.flowstone.testkit.scenario.file.Scenario;
import dev.flowstone.testkit.scenario.file.ScenarioFile;
import dev.flowstone.testkit.scenario.file.ScenarioReader;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import dev.flowstone.testkit.scenario.report.TestReport;
import dev.flowstone.testkit.scenario.source.FileFault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs scenario files ({@code docs/scenarios.md}) with the production engine, in memory and in virtual time: equal files
 * give equal results, on every machine, and none of them hangs. Nothing but a JVM is needed.
 */
public final class ScenarioFiles {
    private final ScenarioReader reader;

    /** With the dialects that the testkit knows by itself. */
    public ScenarioFiles() {
        this(new DialectCompilers());
    }

    public ScenarioFiles(Compilers compilers) {
        this.reader = new ScenarioReader(requireNonNull(compilers));
    }

    /** Runs every scenario of these files, and of the scenario files in and below these folders. */
    public static TestReport run(Path... paths) {
        return new ScenarioFiles().run(List.of(paths), _ -> {});
    }

    /**
     * The same.
     *
     * @param listener is told each result as soon as there is one
     */
    public TestReport run(Collection<Path> paths, Consumer<ScenarioResult> listener) {
        Discovery discovery = Discovery.of(paths);
        List<FileFault> faults = new ArrayList<>(discovery.faults());
        List<ScenarioResult> results = new ArrayList<>();
        for (Path path : discovery.files()) {
            switch (reader.read(path)) {
                case ReadFile.Faulty faulty -> faults.addAll(faulty.faults());
                case ReadFile.Sound(ScenarioFile file) -> {
                    for (Scenario scenario : file.scenarios()) {
                        ScenarioResult result = run(file, scenario);
                        results.add(result);
                        listener.accept(result);
                    }
                }
            }
        }
        return new TestReport(results, faults);
    }

    /** What each path's files hold, without running anything. */
    public List<ReadFile> read(Collection<Path> paths) {
        Discovery discovery = Discovery.of(paths);
        List<ReadFile> files = new ArrayList<>();
        discovery.faults().forEach(fault -> files.add(new ReadFile.Faulty(fault.file(), List.of(fault))));
        discovery.files().forEach(path -> files.add(reader.read(path)));
        return files;
    }

    /** Runs one scenario. */
    public static ScenarioResult run(ScenarioFile file, Scenario scenario) {
        return ScenarioRunner.run(file, scenario);
    }
}
