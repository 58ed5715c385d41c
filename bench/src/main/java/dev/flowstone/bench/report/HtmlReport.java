package dev.flowstone.bench.report;

import java.util.List;

/**
 * One page with everything: of several measurements first the table; what each found, its curves; and the environment. It needs nothing else,
 * neither a script nor a network.
 */
final class HtmlReport {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1b1f24;
                   background: #fff; }
            pre { background: #f5f6f8; padding: 1rem; overflow-x: auto; border-radius: 6px; }
            svg { width: 100%; height: auto; }
            svg text { font: 11px system-ui, sans-serif; fill: #57606a; }
            .rate { stroke: #0b6bcb; fill: none; stroke-width: 1.5; }
            .p50 { stroke: #2da44e; fill: none; stroke-width: 1.5; }
            .p95 { stroke: #cf5b16; fill: none; stroke-width: 1.5; }
            .more { stroke: #8250df; fill: none; stroke-width: 1.5; }
            svg .name text { stroke: none; fill: #57606a; }
            svg .name.rate text { fill: #0b6bcb; }
            svg .name.p50 text { fill: #2da44e; }
            svg .name.p95 text { fill: #cf5b16; }
            svg .name.more text { fill: #8250df; }
            .grid { stroke: #d8dee4; stroke-width: 1; }
            .band { fill: #f3b7b1; }
            .after { fill: #fbe9b7; }
            svg .happened { font-size: 9px; fill: #8c2f26; }
            .bad { color: #b3261e; }
            """;

    private HtmlReport() {}

    static String of(Summary summary) {
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<title>Flowstone bench</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head>\n<body><h1>Flowstone bench</h1>\n");
        if (summary.reports().size() > 1) {
            pre(page, summary.table());
        }
        for (Report report : summary.reports()) {
            page.append("<h2>").append(escaped(report.name())).append("</h2>\n");
            if (!report.sound()) {
                page.append("<p class=\"bad\">Something failed here, or isn't as it must be.</p>\n");
            }
            for (Curve curve : report.curves()) {
                page.append(CurveSvg.of(curve)).append('\n');
            }
            for (Plot plot : report.plots()) {
                page.append(PlotSvg.of(plot)).append('\n');
            }
            pre(page, report.lines());
        }
        page.append("<h2>Environment</h2>\n");
        pre(page, Environment.lines(summary.environment()));
        return page.append("</body></html>\n").toString();
    }

    private static void pre(StringBuilder page, List<String> lines) {
        page.append("<pre>").append(escaped(String.join("\n", lines))).append("</pre>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
