package dev.flowstone.bench.report;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
        List<JsonValue> table = new ArrayList<>();
        for (Report report : reports) {
            all.add(report.toJson());
            table.add(JsonObject.builder()
                    .put("bench", report.name())
                    .put("sound", report.sound())
                    .put("found", headline(report))
                    .build());
        }
        return JsonObject.builder()
                .put("bench", "all")
                .put("sound", sound())
                .put("environment", environment)
                .put("table", new JsonArray(table))
                .put("results", new JsonArray(all))
                .build();
    }

    private static String headline(Report report) {
        return report.lines().stream()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("")
                .strip()
                .replaceAll(" +", " ");
    }

    /** A line for each: its name, and what it says first; one that may not be believed says so. */
    public List<String> table() {
        return reports.stream()
                .map(report -> String.format(
                        Locale.ROOT, "%-14s%s%s", report.name(), report.sound() ? "" : "NOT SOUND  ", headline(report)))
                .toList();
    }

    /** For people: of several the table first. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(reports.size() > 1 ? table() : List.of());
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
        return HtmlReport.of(this);
    }
}
