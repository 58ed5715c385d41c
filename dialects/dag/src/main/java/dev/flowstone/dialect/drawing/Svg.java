package dev.flowstone.dialect.drawing;

import static dev.flowstone.dialect.drawing.SvgText.attribute;
import static dev.flowstone.dialect.drawing.SvgText.element;

import dev.flowstone.dialect.drawing.layout.Box;
import dev.flowstone.dialect.drawing.layout.Layout;
import dev.flowstone.dialect.drawing.layout.Link;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program as a self-contained SVG document: no script, no font, nothing fetched; light or dark as its reader prefers.
 */
public final class Svg {
    public static final int MAX_NODES = 1_500;
    public static final int MAX_EDGES = 4_000;

    /** Boxes and bends: what drawing costs. A chain whose every node also leads to the end has many. */
    private static final long MAX_SIZE = 40_000;

    private static final double MARGIN = 28;
    private static final double HEADER = 64;
    private static final double FOOTER = 46;
    private static final double MIN_WIDTH = 420;

    private Svg() {}

    public static Drawing of(Program program, Optional<RunOverlay> run) {
        List<Node> nodes = program.nodes();
        List<Edge> edges = ReadingOrder.edges(program);
        if (nodes.size() > MAX_NODES || edges.size() > MAX_EDGES) {
            return tooLarge(nodes.size() + " nodes and " + edges.size() + " edges");
        }
        List<NodeShape> shapes = new ArrayList<>();
        Map<NodeId, Integer> index = new HashMap<>();
        for (Node node : nodes) {
            index.put(node.id(), shapes.size());
            shapes.add(NodeShape.of(node, run));
        }
        List<EdgeShape> arrows = new ArrayList<>();
        for (Edge edge : edges) {
            arrows.add(EdgeShape.of(program, edge, run));
        }
        List<Box> boxes = shapes.stream().map(NodeShape::box).toList();
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < edges.size(); i++) {
            links.add(new Link(
                    index.getOrDefault(edges.get(i).from(), 0),
                    index.getOrDefault(edges.get(i).to(), 0),
                    arrows.get(i).labelWidth()));
        }
        long size = Layout.size(boxes, links);
        if (size > MAX_SIZE) {
            return tooLarge("edges that pass " + size + " layers");
        }
        Layout layout = Layout.of(boxes, links);
        return new Drawing.Drawn(write(program, run, shapes, arrows, layout));
    }

    private static Drawing tooLarge(String what) {
        return new Drawing.TooLarge(
                "the program has " + what + "; an SVG drawing takes " + MAX_NODES + " nodes, " + MAX_EDGES
                        + " edges and " + MAX_SIZE + " layers of edges. Draw it as Mermaid, which has no limit here");
    }

    private static String write(
            Program program, Optional<RunOverlay> run, List<NodeShape> shapes, List<EdgeShape> arrows, Layout layout) {
        Legend legend = Legend.of(shapes, arrows, run.isPresent());
        String title = Wording.title(program);
        String subtitle = Wording.clean(program.workflow().value(), 60) + " · "
                + count(program.nodes().size() - 1, "node") + " · "
                + count(program.edges().size() - 1, "edge") + (run.isPresent() ? " · run" : "");
        double widest = Math.max(TextWidth.of(title, 18), Math.max(TextWidth.of(subtitle, 12), legend.width()));
        double inner = Math.max(Math.max(MIN_WIDTH, widest), layout.width());
        double width = inner + 2 * MARGIN;
        double height = HEADER + layout.height() + FOOTER + MARGIN;
        double left = MARGIN + (inner - layout.width()) / 2;
        SvgText out = new SvgText();
        out.line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flow",
                run.isPresent() ? " run" : "",
                "\" role=\"img\" aria-labelledby=\"flow-title flow-description\"",
                attribute("width", width),
                attribute("height", height),
                " viewBox=\"0 0 " + SvgText.number(width) + " " + SvgText.number(height) + "\">");
        out.line("<title id=\"flow-title\">", SvgText.escape(title), "</title>");
        out.line("<desc id=\"flow-description\">", SvgText.escape(subtitle), "</desc>");
        out.line("<style>", stylesheet(), "</style>");
        out.line("<defs>", marker("arrow"), marker("arrow-failure"), marker("arrow-taken"), "</defs>");
        out.line("<rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"14\"/>");
        out.line(element("text", " class=\"title\"" + attribute("x", MARGIN) + attribute("y", 34), title));
        out.line(element("text", " class=\"subtitle\"" + attribute("x", MARGIN) + attribute("y", 53), subtitle));
        out.line("<g transform=\"translate(", SvgText.number(left), " ", SvgText.number(HEADER + 12), ")\">");
        drawEdges(arrows, layout, out);
        for (int i = 0; i < shapes.size(); i++) {
            shapes.get(i).draw(layout.boxes().get(i), out);
        }
        out.line("</g>");
        legend.draw(MARGIN, height - 24, out);
        return out.line("</svg>").toString();
    }

    /** Taken edges last, so that they lie on top; labels after all edges. */
    private static void drawEdges(List<EdgeShape> arrows, Layout layout, SvgText out) {
        for (boolean taken : new boolean[] {false, true}) {
            for (int i = 0; i < arrows.size(); i++) {
                if (arrows.get(i).taken() == taken) {
                    arrows.get(i).drawLine(layout.routes().get(i), out);
                }
            }
        }
        for (int i = 0; i < arrows.size(); i++) {
            arrows.get(i).drawLabel(layout.routes().get(i), out);
        }
    }

    private static String marker(String id) {
        return "<marker id=\"" + id + "\" class=\"" + id + "\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\""
                + " markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                + "<path d=\"M0 0.8 L10 5 L0 9.2 L2.2 5 z\"/></marker>";
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String stylesheet() {
        try (InputStream text = Svg.class.getResourceAsStream("drawing.css")) {
            if (text == null) {
                throw new IllegalStateException("drawing.css is missing from the jar");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
