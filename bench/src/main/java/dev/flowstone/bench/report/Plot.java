package dev.flowstone.bench.report;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * How one thing goes with another: a cost with a size, or a size over a long time.
 *
 * @param title of the picture, with the unit
 * @param across what grows from left to right
 * @param tens whether that is drawn by powers of ten
 * @param bands what happened meanwhile
 */
public record Plot(String title, String across, boolean tens, List<Line> lines, List<Band> bands) {
    public Plot {
        requireNonNull(title);
        requireNonNull(across);
        lines = List.copyOf(lines);
        bands = List.copyOf(bands);
    }

    /** Nothing happened meanwhile. */
    public Plot(String title, String across, boolean tens, List<Line> lines) {
        this(title, across, tens, lines, List.of());
    }

    /**
     * Something that happened, from left to right.
     *
     * @param until when it was over
     * @param felt how long it could be felt afterwards
     */
    public record Band(String name, double from, double until, double felt) {
        public Band {
            requireNonNull(name);
        }
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
