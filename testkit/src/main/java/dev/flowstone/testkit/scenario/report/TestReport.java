package dev.flowstone.testkit.scenario.report;

import dev.flowstone.testkit.scenario.source.FileFault;
import java.util.List;

/**
 * What became of all scenarios of some files.
 *
 * @param results in the order of the files, and in each of the text
 * @param faults of files that could not be run
 */
public record TestReport(List<ScenarioResult> results, List<FileFault> faults) {
    public TestReport {
        results = List.copyOf(results);
        faults = List.copyOf(faults);
    }

    public long passed() {
        return results.stream().filter(ScenarioResult::passed).count();
    }

    public long failed() {
        return results.size() - passed();
    }

    /** Everything ran, and everything was as expected. */
    public boolean succeeded() {
        return faults.isEmpty() && failed() == 0;
    }

    public List<Coverage> coverage() {
        return Coverage.of(results);
    }

    /** {@code 3 passed, 1 failed}; files that could not be run are told too. */
    public String summary() {
        long files = faults.stream().map(FileFault::file).distinct().count();
        String bad = files == 0 ? "" : ", " + files + (files == 1 ? " file" : " files") + " not run";
        return passed() + " passed, " + failed() + " failed" + bad;
    }
}
