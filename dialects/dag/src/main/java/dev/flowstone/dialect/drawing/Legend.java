package dev.flowstone.dialect.drawing;

import static dev.flowstone.dialect.drawing.SvgText.attribute;
import static dev.flowstone.dialect.drawing.SvgText.element;

import java.util.ArrayList;
import java.util.List;

/** Explains the signs that occur in the drawing, and no others. */
record Legend(List<Item> items) {
    private static final double SIZE = 11.5;
    private static final double SIGN = 30;
    private static final double GAP = 20;

    Legend {
        items = List.copyOf(items);
    }

    static Legend of(List<NodeShape> nodes, List<EdgeShape> edges, boolean run) {
        List<Item> items = new ArrayList<>();
        for (NodeStatus status : NodeStatus.values()) {
            if (nodes.stream()
                    .anyMatch(node -> node.status().filter(status::equals).isPresent())) {
                items.add(new Item(NodeShape.badge(status, 20, -4), status.word()));
            }
        }
        if (run && nodes.stream().anyMatch(NodeShape::pale)) {
            items.add(new Item(
                    "<rect class=\"unreached\" x=\"8\" y=\"-10\" width=\"20\" height=\"12\" rx=\"4\"/>",
                    "not reached"));
        }
        if (edges.stream().anyMatch(EdgeShape::taken)) {
            items.add(new Item(line("sample edge taken"), "path taken"));
        }
        if (edges.stream().anyMatch(edge -> edge.failure() && !(edge.taken() && run))) {
            items.add(new Item(line("sample edge failure"), "on failure"));
        }
        if (edges.stream().anyMatch(edge -> !edge.label().isEmpty()) && !run) {
            items.add(new Item(
                    "<g class=\"label\"><rect x=\"4\" y=\"-11\" width=\"26\" height=\"14\" rx=\"7\"/></g>",
                    "condition"));
        }
        return new Legend(items);
    }

    double width() {
        return items.stream().mapToDouble(Item::width).sum();
    }

    void draw(double x, double y, SvgText out) {
        out.line("<g class=\"legend\" transform=\"translate(", SvgText.number(x - 6), " ", SvgText.number(y), ")\">");
        double at = 0;
        for (Item item : items) {
            out.line(
                    "<g transform=\"translate(" + SvgText.number(at) + " 0)\">",
                    item.sign(),
                    element("text", attribute("x", SIGN + 5), item.text()),
                    "</g>");
            at += item.width();
        }
        out.line("</g>");
    }

    private static String line(String classes) {
        return "<path class=\"" + classes + "\" d=\"M2 -4 L30 -4\"/>";
    }

    /** One sign and its meaning. */
    record Item(String sign, String text) {
        double width() {
            return SIGN + 5 + TextWidth.of(text, SIZE) + GAP;
        }
    }
}
