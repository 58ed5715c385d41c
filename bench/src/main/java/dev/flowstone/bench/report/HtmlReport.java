package dev.flowstone.bench.report;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/**
 * One page with everything: what was found, throughput and latency over time, and the environment. It needs nothing else,
 * neither a script nor a network.
 */
public final class HtmlReport {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1b1f24;
                   background: #fff; }
            pre { background: #f5f6f8; padding: 1rem; overflow-x: auto; border-radius: 6px; }
            svg { width: 100%; height: auto; }
            svg text { font: 11px system-ui, sans-serif; fill: #57606a; }
            .rate { stroke: #0b6bcb; fill: none; stroke-width: 1.5; }
            .p50 { stroke: #2da44e; fill: none; stroke-width: 1.5; }
            .p95 { stroke: #cf5b16; fill: none; stroke-width: 1.5; }
            .grid { stroke: #d8dee4; stroke-width: 1; }
            .bad { color: #b3261e; }
            """;

    private HtmlReport() {}

    public static String of(List<Report> reports, JsonObject environment) {
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<title>Flowstone bench</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head>\n<body><h1>Flowstone bench</h1>\n");
        for (Report report : reports) {
            page.append("<h2>").append(escaped(report.name())).append("</h2>\n");
            if (!report.sound()) {
                page.append("<p class=\"bad\">Something failed here: these figures are worth nothing.</p>\n");
            }
            for (Curve curve : report.curves()) {
                page.append(CurveSvg.of(curve)).append('\n');
            }
            page.append("<pre>")
                    .append(escaped(String.join("\n", report.lines())))
                    .append("</pre>\n");
        }
        return page.append("<h2>Environment</h2>\n<pre>")
                .append(escaped(String.join("\n", Environment.lines(environment))))
                .append("</pre>\n</body></html>\n")
                .toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
