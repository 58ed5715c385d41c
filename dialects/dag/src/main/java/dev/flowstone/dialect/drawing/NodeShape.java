package dev.flowstone.dialect.drawing;

import static dev.flowstone.dialect.drawing.SvgText.attribute;
import static dev.flowstone.dialect.drawing.SvgText.element;

import dev.flowstone.dialect.drawing.layout.Box;
import dev.flowstone.dialect.drawing.layout.Point;
import dev.flowstone.kernel.program.Node;
import java.util.Optional;

/** One node as a card: a sign of its kind, its name, what it does, and in a run how it went. */
record NodeShape(Kind kind, String title, String detail, String tooltip, Optional<NodeStatus> status, boolean pale) {
    private static final double HEIGHT = 46;
    private static final double PILL_HEIGHT = 30;
    private static final double LEAST_WIDTH = 132;
    private static final double TEXT_AT = 44;

    static NodeShape of(Node node, Optional<RunOverlay> run) {
        Kind kind = switch (node) {
            case Node.Start _, Node.End _ -> Kind.PILL;
            case Node.Task _,
                    Node.HumanTask _,
                    Node.Choice _,
                    Node.Assign _,
                    Node.Fork _,
                    Node.Join _,
                    Node.Emit _,
                    Node.Call _ -> Kind.TASK;
            case Node.Timer _, Node.Await _ -> Kind.TIMER;
        };
        Optional<NodeStatus> status =
                run.flatMap(it -> Optional.ofNullable(it.nodes().get(node.id())));
        String detail = Wording.detail(node);
        String tooltip = Wording.clean(node.id().value(), 300)
                + (detail.isEmpty() ? "" : " · " + detail)
                + status.map(it -> " · " + it.word()).orElse("");
        boolean pale = run.isPresent() && status.isEmpty();
        return new NodeShape(kind, Wording.title(node), detail, tooltip, status, pale);
    }

    Box box() {
        if (kind == Kind.PILL) {
            return new Box(TextWidth.of(title, 12) + 36, PILL_HEIGHT);
        }
        double text = Math.max(TextWidth.of(title, 13.5), TextWidth.of(detail, 11.5));
        return new Box(Math.max(LEAST_WIDTH, TEXT_AT + text + 18), HEIGHT);
    }

    void draw(Point centre, SvgText out) {
        Box box = box();
        String classes = "node " + kind.word + status.map(it -> " " + it.word()).orElse("") + (pale ? " pale" : "");
        out.line(
                "<g class=\"" + classes + "\" transform=\"translate(",
                SvgText.number(centre.x() - box.width() / 2),
                " ",
                SvgText.number(centre.y() - box.height() / 2),
                ")\">",
                element("title", "", tooltip));
        out.line("<rect class=\"card\"", size(box), attribute("rx", kind == Kind.PILL ? box.height() / 2 : 11), "/>");
        if (kind == Kind.PILL) {
            out.line(element("text", " class=\"pill-text\"" + at(box.width() / 2, box.height() / 2 + 4), title));
        } else {
            out.line(kind.sign);
            out.line(element("text", " class=\"name\"" + at(TEXT_AT, 20.5), title));
            out.line(element("text", " class=\"detail\"" + at(TEXT_AT, 36), detail));
        }
        if (kind != Kind.PILL) {
            status.ifPresent(it -> out.line(badge(it, box.width() - 3, 3)));
        }
        out.line("</g>");
    }

    /** A sign that tells the status without its colour. */
    static String badge(NodeStatus status, double x, double y) {
        String sign = switch (status) {
            case SUCCEEDED -> "M-3.6 0.2 L-1.1 2.8 L3.8 -2.6";
            case FAILED -> "M-2.8 -2.8 L2.8 2.8 M2.8 -2.8 L-2.8 2.8";
            case SKIPPED -> "M-3.2 -2.6 L0 0 L-3.2 2.6 M0.4 -2.6 L3.6 0 L0.4 2.6";
            case CANCELED -> "M-3.2 0 L3.2 0";
            case RUNNING -> "M-1.8 -3 L3 0 L-1.8 3 z";
            case WAITING -> "M-1.8 -2.8 L-1.8 2.8 M1.8 -2.8 L1.8 2.8";
        };
        return "<g class=\"badge " + status.word() + "\" transform=\"translate(" + SvgText.number(x) + " "
                + SvgText.number(y) + ")\"><circle r=\"8.5\"/><path d=\"" + sign + "\"/></g>";
    }

    private static String size(Box box) {
        return attribute("width", box.width()) + attribute("height", box.height());
    }

    private static String at(double x, double y) {
        return attribute("x", x) + attribute("y", y);
    }

    /** What a node is, by its sign. */
    enum Kind {
        PILL("pill", ""),
        TASK(
                "task",
                "<g class=\"sign\"><rect x=\"11\" y=\"11\" width=\"24\" height=\"24\" rx=\"7\"/>"
                        + "<path d=\"M18.5 18 L23.5 23 L18.5 28 M25 28 L29 28\"/></g>"),
        TIMER(
                "timer",
                "<g class=\"sign\"><rect x=\"11\" y=\"11\" width=\"24\" height=\"24\" rx=\"7\"/>"
                        + "<path d=\"M23 15.5 A7.5 7.5 0 1 1 22.99 15.5 M23 19 L23 23.4 L26 25.2\"/></g>");

        private final String word;
        private final String sign;

        Kind(String word, String sign) {
            this.word = word;
            this.sign = sign;
        }
    }
}
