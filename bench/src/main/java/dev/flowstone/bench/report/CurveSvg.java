package dev.flowstone.bench.report;

import dev.flowstone.bench.load.Sample;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws a curve as SVG: throughput above, latency below, over the same seconds. */
final class CurveSvg {
    private static final int WIDTH = 900;
    private static final int PANEL = 150;
    private static final int LEFT = 70;
    private static final int TOP = 24;
    private static final int GAP = 36;
    private static final int LINES = 4;

    private CurveSvg() {}

    static String of(Curve curve) {
        List<Sample> samples = curve.samples();
        double seconds = samples.stream().mapToDouble(Sample::second).max().orElse(1);
        double rate = top(samples, Sample::perSecond);
        double millis = top(samples, Sample::p95Millis);
        int second = TOP + PANEL + GAP;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH + LEFT + 10,
                second + PANEL + 24,
                HtmlReport.escaped(curve.title())));
        grid(svg, TOP, rate, HtmlReport.escaped(curve.title() + ": " + curve.unit() + " per second"));
        line(svg, samples, Sample::perSecond, seconds, rate, TOP, "rate");
        grid(svg, second, millis, "latency in ms: half (green), 95 of 100 (orange)");
        line(svg, samples, Sample::p50Millis, seconds, millis, second, "p50");
        line(svg, samples, Sample::p95Millis, seconds, millis, second, "p95");
        text(svg, LEFT, second + PANEL + 16, "0 s");
        text(svg, WIDTH + LEFT - 40, second + PANEL + 16, String.format(Locale.ROOT, "%.0f s", seconds));
        return svg.append("</svg>").toString();
    }

    private static double top(List<Sample> samples, ToDoubleFunction<Sample> value) {
        return Math.max(1e-3, samples.stream().mapToDouble(value).max().orElse(1) * 1.05);
    }

    private static void grid(StringBuilder svg, int top, double most, String title) {
        text(svg, LEFT, top - 8, title);
        for (int i = 0; i <= LINES; i++) {
            double y = top + PANEL * (1 - (double) i / LINES);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                    LEFT,
                    y,
                    LEFT + WIDTH,
                    y));
            text(svg, 4, y + 4, String.format(Locale.ROOT, most < 10 ? "%,.1f" : "%,.0f", most * i / LINES));
        }
    }

    private static void text(StringBuilder svg, double x, double y, String text) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", x, y, text));
    }

    private static void line(
            StringBuilder svg,
            List<Sample> samples,
            ToDoubleFunction<Sample> value,
            double seconds,
            double most,
            int top,
            String style) {
        svg.append("<polyline class=\"").append(style).append("\" points=\"");
        for (Sample sample : samples) {
            svg.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    LEFT + WIDTH * sample.second() / seconds,
                    top + PANEL * (1 - value.applyAsDouble(sample) / most)));
        }
        svg.append("\"/>");
    }
}
