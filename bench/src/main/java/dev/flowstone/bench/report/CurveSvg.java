package dev.flowstone.bench.report;

import dev.flowstone.bench.load.Sample;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws a curve as SVG: throughput above, latency below, over the same seconds. */
final class CurveSvg {
    private static final int TOP = 24;
    private static final int SECOND = TOP + Panel.HEIGHT + 36;
    private static final int FOOT = SECOND + Panel.HEIGHT + 16;

    private CurveSvg() {}

    static String of(Curve curve) {
        List<Sample> samples = curve.samples();
        double seconds = highest(samples, Sample::second);
        StringBuilder svg = Panel.picture(FOOT + 8, curve.title());
        Panel rate = Panel.in(
                svg, TOP, highest(samples, Sample::perSecond), curve.title() + ": " + curve.unit() + " per second");
        line(rate, "rate", samples, Sample::perSecond, seconds);
        Panel latency = Panel.in(
                svg, SECOND, highest(samples, Sample::p95Millis), "latency in ms: half (green), 95 of 100 (orange)");
        line(latency, "p50", samples, Sample::p50Millis, seconds);
        line(latency, "p95", samples, Sample::p95Millis, seconds);
        Panel.text(svg, Panel.LEFT, FOOT, "0 s");
        Panel.text(svg, Panel.WIDTH + Panel.LEFT - 40, FOOT, String.format(Locale.ROOT, "%.0f s", seconds));
        return svg.append("</svg>").toString();
    }

    private static double highest(List<Sample> samples, ToDoubleFunction<Sample> value) {
        return samples.stream().mapToDouble(value).max().orElse(1);
    }

    private static void line(
            Panel panel, String style, List<Sample> samples, ToDoubleFunction<Sample> value, double seconds) {
        panel.line(style);
        samples.forEach(sample -> panel.point(sample.second() / seconds, value.applyAsDouble(sample)));
        panel.end();
    }
}
