package dev.flowstone.bench.report;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Many measurements of one call, with one environment. */
public record Summary(List<Report> reports, JsonObject environment) {
    public Summary {
        reports = List.copyOf(reports);
    }

    public boolean sound() {
        return reports.stream().allMatch(Report::sound);
    }

    /** One measurement as it is, with its environment; several in a list. */
    public JsonObject toJson() {
        if (reports.size() == 1) {
            JsonObject.Builder one = JsonObject.builder();
            reports.getFirst().toJson().members().forEach(one::put);
            return one.put("environment", environment).build();
        }
        List<JsonValue> all = new ArrayList<>();
        reports.forEach(report -> all.add(report.toJson()));
        return JsonObject.builder()
                .put("bench", "all")
                .put("sound", sound())
                .put("environment", environment)
                .put("results", new JsonArray(all))
                .build();
    }

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Report report : reports) {
            if (reports.size() > 1) {
                lines.add((lines.isEmpty() ? "" : "\n") + "── " + report.name());
            }
            lines.addAll(report.lines());
        }
        return lines;
    }

    /** One page. */
    public String toHtml() {
        return HtmlReport.of(reports, environment);
    }
}
