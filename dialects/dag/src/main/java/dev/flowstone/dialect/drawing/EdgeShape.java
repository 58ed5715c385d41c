package dev.flowstone.dialect.drawing;

import static dev.flowstone.dialect.drawing.SvgText.attribute;
import static dev.flowstone.dialect.drawing.SvgText.element;
import static dev.flowstone.dialect.drawing.SvgText.number;

import dev.flowstone.dialect.drawing.layout.Layout.Route;
import dev.flowstone.dialect.drawing.layout.Point;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import java.util.List;
import java.util.Optional;

/** One edge as a curve with an arrow; dashed for a failure, thick if the run took it. */
record EdgeShape(String label, String tooltip, boolean failure, boolean taken, boolean pale) {
    private static final double SIZE = 11;
    private static final double PADDING = 16;
    private static final double HEIGHT = 18;

    static EdgeShape of(Program program, Edge edge, Optional<RunOverlay> run) {
        boolean taken =
                run.filter(it -> ReadingOrder.isTaken(program, edge, it)).isPresent();
        return new EdgeShape(
                Wording.label(program, edge),
                Wording.clean(Wording.whole(edge), 500),
                edge.on().equals(Outcome.FAILURE),
                taken,
                run.isPresent() && !taken);
    }

    double labelWidth() {
        return label.isEmpty() ? 0 : TextWidth.of(label, SIZE) + PADDING;
    }

    void drawLine(Route route, SvgText out) {
        String marker = failure ? "arrow-failure" : taken ? "arrow-taken" : "arrow";
        out.line(
                "<path class=\"" + classes("edge") + "\" d=\"" + path(route.points()) + "\" marker-end=\"url(#" + marker
                        + ")\">",
                element("title", "", tooltip),
                "</path>");
    }

    void drawLabel(Route route, SvgText out) {
        if (label.isEmpty() || route.label().isEmpty()) {
            return;
        }
        Point centre = route.label().get();
        out.line(
                "<g class=\"" + classes("label") + "\">",
                element("title", "", tooltip),
                "<rect",
                attribute("x", centre.x() - labelWidth() / 2),
                attribute("y", centre.y() - HEIGHT / 2),
                attribute("width", labelWidth()),
                attribute("height", HEIGHT),
                attribute("rx", HEIGHT / 2),
                "/>",
                element("text", attribute("x", centre.x()) + attribute("y", centre.y() + 3.8), label),
                "</g>");
    }

    private String classes(String base) {
        return base + (failure ? " failure" : "") + (taken ? " taken" : "") + (pale ? " pale" : "");
    }

    /** Curves between the pairs of points, straight within them. */
    private static String path(List<Point> points) {
        StringBuilder path = new StringBuilder();
        Point first = points.getFirst();
        path.append('M').append(number(first.x())).append(' ').append(number(first.y()));
        for (int i = 1; i < points.size(); i++) {
            Point from = points.get(i - 1);
            Point to = points.get(i);
            if (i % 2 == 0 || Math.abs(from.x() - to.x()) < 0.5) {
                path.append(" L").append(number(to.x())).append(' ').append(number(to.y()));
            } else {
                double half = (to.y() - from.y()) / 2;
                path.append(" C").append(number(from.x())).append(' ').append(number(from.y() + half));
                path.append(' ').append(number(to.x())).append(' ').append(number(to.y() - half));
                path.append(' ').append(number(to.x())).append(' ').append(number(to.y()));
            }
        }
        return path.toString();
    }
}
