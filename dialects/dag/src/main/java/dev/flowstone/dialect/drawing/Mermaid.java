package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program as a Mermaid flowchart, for README files and wikis. Draws any size; Mermaid itself draws 500 edges unless told
 * otherwise.
 */
public final class Mermaid {
    private static final int DRAWN_BY_DEFAULT = 500;
    private static final Map<NodeStatus, String> STYLES = styles();

    private Mermaid() {}

    /** The text, to put between {@code ```mermaid} and {@code ```}. */
    public static String of(Program program, Optional<RunOverlay> run) {
        StringBuilder out = new StringBuilder();
        out.append("---\ntitle: \"").append(yaml(Wording.title(program))).append("\"\n---\n");
        if (program.edges().size() > DRAWN_BY_DEFAULT) {
            out.append("%% ")
                    .append(program.edges().size())
                    .append(" edges: Mermaid draws ")
                    .append(DRAWN_BY_DEFAULT);
            out.append(" unless its maxEdges and maxTextSize are raised\n");
        }
        out.append("flowchart TD\n");
        Map<NodeId, String> names = new HashMap<>();
        for (Node node : program.nodes()) {
            String name = "n" + names.size();
            names.put(node.id(), name);
            out.append("  ").append(name).append(shape(node)).append('\n');
        }
        edges(program, names, out);
        run.ifPresent(it -> overlay(program, it, names, out));
        return out.toString();
    }

    private static String shape(Node node) {
        String title = label(Wording.title(node));
        String detail = label(Wording.detail(node));
        String text = detail.isEmpty() ? title : "<b>" + title + "</b><br/><small>" + detail + "</small>";
        return switch (node) {
            case Node.Start _, Node.End _ -> "([\"" + text + "\"])";
            case Node.Task _, Node.HumanTask _, Node.Assign _, Node.Emit _ -> "[\"" + text + "\"]";
            case Node.Timer _, Node.Await _ -> "{{\"" + text + "\"}}";
            case Node.Choice _, Node.Fork _, Node.Join _ -> "{\"" + text + "\"}";
            case Node.Call _ -> "[[\"" + text + "\"]]";
        };
    }

    private static void edges(Program program, Map<NodeId, String> names, StringBuilder out) {
        for (Edge edge : ReadingOrder.edges(program)) {
            String label = label(Wording.label(program, edge));
            out.append("  ").append(names.get(edge.from()));
            out.append(edge.on().equals(Outcome.FAILURE) ? " -.->" : " -->");
            out.append(label.isEmpty() ? " " : "|\"" + label + "\"| ");
            out.append(names.get(edge.to())).append('\n');
        }
    }

    private static void overlay(Program program, RunOverlay run, Map<NodeId, String> names, StringBuilder out) {
        Map<NodeStatus, List<String>> byStatus = new EnumMap<>(NodeStatus.class);
        for (Node node : program.nodes()) {
            NodeStatus status = run.nodes().get(node.id());
            if (status != null) {
                byStatus.computeIfAbsent(status, it -> new ArrayList<>()).add(names.getOrDefault(node.id(), ""));
            }
        }
        byStatus.forEach((status, nodes) -> {
            out.append("  classDef ")
                    .append(status.word())
                    .append(' ')
                    .append(STYLES.get(status))
                    .append('\n');
            out.append("  class ")
                    .append(String.join(",", nodes))
                    .append(' ')
                    .append(status.word())
                    .append('\n');
        });
        List<Edge> edges = ReadingOrder.edges(program);
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < edges.size(); i++) {
            if (ReadingOrder.isTaken(program, edges.get(i), run)) {
                taken.add(Integer.toString(i));
            }
        }
        if (!taken.isEmpty()) {
            out.append("  linkStyle ").append(String.join(",", taken)).append(" stroke-width:4px\n");
        }
    }

    /** In Mermaid's quotes: its own entities for everything that it, or the HTML it makes, would read. */
    private static String label(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\"#<>&`\\;{}[]()|*_~%".indexOf(c) >= 0) {
                out.append('#').append((int) c).append(';');
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** In YAML's quotes. Entities mean nothing in a title, so angle brackets become their likes. */
    private static String yaml(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace('<', '‹')
                .replace('>', '›');
    }

    private static Map<NodeStatus, String> styles() {
        Map<NodeStatus, String> styles = new EnumMap<>(NodeStatus.class);
        styles.put(NodeStatus.SUCCEEDED, "fill:#d3f2e0,stroke:#1a7f4e,color:#0b3d25");
        styles.put(NodeStatus.FAILED, "fill:#fbdcdc,stroke:#c22f3d,color:#5c1219");
        styles.put(NodeStatus.SKIPPED, "fill:#eceef1,stroke:#8a94a3,color:#57606d,stroke-dasharray:4 3");
        styles.put(NodeStatus.CANCELED, "fill:#eceef1,stroke:#57606d,color:#39404a,stroke-dasharray:4 3");
        styles.put(NodeStatus.RUNNING, "fill:#d9e8fd,stroke:#2463c4,color:#10305f");
        styles.put(NodeStatus.WAITING, "fill:#fdefcc,stroke:#b3760b,color:#553803");
        return styles;
    }
}
