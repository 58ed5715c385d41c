package dev.flowstone.bench.report;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * How one thing goes with another: a cost with a size, or a size over a long time.
 *
 * @param title of the picture, with the unit
 * @param across what grows from left to right
 * @param tens whether that is drawn by powers of ten
 */
public record Plot(String title, String across, boolean tens, List<Line> lines) {
    public Plot {
        requireNonNull(title);
        requireNonNull(across);
        lines = List.copyOf(lines);
    }

    /** A line through its points, which are in order from left to right. */
    public record Line(String name, List<Point> points) {
        public Line {
            requireNonNull(name);
            points = List.copyOf(points);
        }
    }

    /**
     * One of them.
     *
     * @param at where it is, from left to right
     * @param value how high
     */
    public record Point(double at, double value) {}
}
