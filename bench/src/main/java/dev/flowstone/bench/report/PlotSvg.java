package dev.flowstone.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Draws a plot as SVG: its lines over one another in one panel. */
final class PlotSvg {
    private static final List<String> STYLES = List.of("rate", "p95", "p50", "more");
    private static final int TOP = 40;
    private static final int FOOT = TOP + Panel.HEIGHT + 16;
    private static final int NAME = 220;

    private PlotSvg() {}

    static String of(Plot plot) {
        double first = points(plot).mapToDouble(Plot.Point::at).min().orElse(0);
        double last = points(plot).mapToDouble(Plot.Point::at).max().orElse(1);
        double highest = points(plot).mapToDouble(Plot.Point::value).max().orElse(1);
        StringBuilder svg = Panel.picture(FOOT + 8, plot.title());
        Panel panel = Panel.in(svg, TOP, highest, "");
        for (Plot.Band band : plot.bands()) {
            panel.band(
                    band.name(),
                    share(plot, band.from(), first, last),
                    share(plot, band.until(), first, last),
                    share(plot, band.felt(), first, last));
        }
        Panel.text(svg, Panel.LEFT, TOP - 26.0, plot.title());
        for (int i = 0; i < plot.lines().size(); i++) {
            Plot.Line line = plot.lines().get(i);
            String style = STYLES.get(i % STYLES.size());
            svg.append("<g class=\"name ").append(style).append("\">");
            Panel.text(svg, Panel.LEFT + (double) i * NAME, TOP - 8.0, line.name());
            svg.append("</g>");
            panel.line(style);
            line.points().forEach(point -> panel.point(share(plot, point.at(), first, last), point.value()));
            panel.end();
        }
        Panel.text(svg, Panel.LEFT, FOOT, number(first));
        Panel.text(svg, Panel.LEFT + Panel.WIDTH - 120, FOOT, number(last) + " " + plot.across());
        return svg.append("</svg>").toString();
    }

    private static Stream<Plot.Point> points(Plot plot) {
        return plot.lines().stream().flatMap(line -> line.points().stream());
    }

    /** How far along the width. */
    private static double share(Plot plot, double at, double first, double last) {
        if (last <= first) {
            return 0;
        }
        return plot.tens()
                ? Math.log10(Math.max(1, at) / Math.max(1, first)) / Math.log10(last / Math.max(1, first))
                : (at - first) / (last - first);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
