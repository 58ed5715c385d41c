package dev.flowstone.bench.report;

import java.util.Locale;

/** A grid with a scale, into which lines are drawn, as SVG. */
final class Panel {
    static final int WIDTH = 900;
    static final int HEIGHT = 150;
    static final int LEFT = 70;
    private static final int LINES = 4;
    private static final double NAME_OFFSET = 9;
    private static final double NARROWEST = 0.5;

    private final StringBuilder svg;
    private final int top;
    private final double most;

    private Panel(StringBuilder svg, int top, double most) {
        this.svg = svg;
        this.top = top;
        this.most = most;
    }

    /** The beginning of a picture of this height; it ends with {@code </svg>}. */
    static StringBuilder picture(int height, String title) {
        return new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH + LEFT + 10,
                height,
                HtmlReport.escaped(title)));
    }

    /** Draws the grid; its scale goes from 0 to a little more than the highest value. */
    static Panel in(StringBuilder svg, int top, double highest, String title) {
        Panel panel = new Panel(svg, top, Math.max(1e-3, highest * 1.05));
        text(svg, LEFT, top - 8.0, title);
        for (int i = 0; i <= LINES; i++) {
            panel.grid((double) i / LINES);
        }
        return panel;
    }

    private void grid(double share) {
        double y = top + HEIGHT * (1 - share);
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                LEFT,
                y,
                LEFT + WIDTH,
                y));
        text(svg, 4, y + 4, String.format(Locale.ROOT, most < 10 ? "%,.1f" : "%,.0f", most * share));
    }

    static void text(StringBuilder svg, double x, double y, String text) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", x, y, HtmlReport.escaped(text)));
    }

    /** Something that happened, so far along the width, what could be felt of it afterwards, and its name from below. */
    void band(String name, double from, double until, double felt) {
        area("band", from, until);
        area("after", until, felt);
        double x = LEFT + WIDTH * from + NAME_OFFSET;
        double y = top + HEIGHT - 4.0;
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"happened\" x=\"%.1f\" y=\"%.1f\" transform=\"rotate(-90 %.1f %.1f)\">%s</text>",
                x,
                y,
                x,
                y,
                HtmlReport.escaped(name)));
    }

    private void area(String style, double from, double to) {
        double left = Math.clamp(from, 0, 1);
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                style,
                LEFT + WIDTH * left,
                top,
                Math.max(NARROWEST, WIDTH * (Math.clamp(to, 0, 1) - left)),
                HEIGHT));
    }

    /** Begins a line, whose points follow. */
    void line(String style) {
        svg.append("<polyline class=\"").append(style).append("\" points=\"");
    }

    /** The line's next point, so far along the width. */
    void point(double share, double value) {
        svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", LEFT + WIDTH * share, top + HEIGHT * (1 - value / most)));
    }

    void end() {
        svg.append("\"/>");
    }
}
