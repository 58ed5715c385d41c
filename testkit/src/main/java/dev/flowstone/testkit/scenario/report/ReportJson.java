package dev.flowstone.testkit.scenario.report;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.source.FileFault;
import java.util.List;
import java.util.function.Function;

/** The report for programs. Members are added in later releases, none is taken away. */
public final class ReportJson {
    private ReportJson() {}

    public static JsonObject of(TestReport report, boolean withCoverage) {
        JsonObject.Builder json = JsonObject.builder()
                .put("passed", report.passed())
                .put("failed", report.failed())
                .put("scenarios", array(report.results(), ReportJson::result))
                .put("faults", array(report.faults(), ReportJson::fault));
        if (withCoverage) {
            json.put("coverage", array(report.coverage(), ReportJson::coverage));
        }
        return json.build();
    }

    private static JsonValue result(ScenarioResult result) {
        JsonObject.Builder json = JsonObject.builder()
                .put("file", result.file().toString())
                .put("line", result.line())
                .put("name", result.name())
                .put("passed", result.passed())
                .put("virtual", result.virtual().toString())
                .put("millis", result.real().toMillis());
        if (!result.passed()) {
            json.put("differences", array(result.differences(), ReportJson::difference))
                    .put("timeline", texts(result.timeline()));
        }
        return json.build();
    }

    private static JsonValue difference(Difference difference) {
        return JsonObject.builder()
                .put("key", difference.key())
                .put("line", difference.line())
                .put("lines", texts(difference.lines()))
                .build();
    }

    private static JsonValue fault(FileFault fault) {
        return JsonObject.builder()
                .put("file", fault.file().toString())
                .put("line", fault.line())
                .put("column", fault.column())
                .put("pointer", fault.pointer())
                .put("message", fault.message())
                .build();
    }

    private static JsonValue coverage(Coverage coverage) {
        return JsonObject.builder()
                .put("definition", coverage.definition())
                .put("nodes", coverage.nodes())
                .put("nodesReached", coverage.nodesReached())
                .put("edges", coverage.edges())
                .put("edgesReached", coverage.edgesReached())
                .put("missingNodes", texts(coverage.missingNodes()))
                .put("missingEdges", texts(coverage.missingEdges()))
                .build();
    }

    private static JsonValue texts(List<String> texts) {
        return array(texts, JsonString::new);
    }

    private static <T> JsonValue array(List<T> items, Function<T, JsonValue> json) {
        return new JsonArray(items.stream().map(json).toList());
    }
}
