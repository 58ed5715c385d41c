package dev.flowstone.dialect.drawing.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The layers and what lies in them: the boxes, and for each link a <i>bend</i> in every layer that it crosses. A label
 * lies in a layer of its own between two layers of boxes. Vertices are numbered: first the boxes, then the bends.
 */
final class Layers {
    static final double LABEL_HEIGHT = 18;
    private static final double BEND_WIDTH = 10;

    private final List<List<Integer>> layers = new ArrayList<>();
    private final List<Box> sizes;
    private final List<Integer> layerOf = new ArrayList<>();
    private final List<Boolean> label = new ArrayList<>();
    private final List<List<Integer>> above = new ArrayList<>();
    private final List<List<Integer>> below = new ArrayList<>();
    private final List<List<Integer>> bends = new ArrayList<>();
    private final List<Link> links;
    private final boolean[] backward;
    private final int boxes;

    Layers(List<Box> boxes, List<Link> links, boolean[] backward, int[] rank) {
        this.boxes = boxes.size();
        this.links = links;
        this.backward = backward;
        this.sizes = new ArrayList<>(boxes);
        Map<Integer, Integer> index = index(rank);
        index.values().forEach(layer -> layers.add(new ArrayList<>()));
        for (int box = 0; box < boxes.size(); box++) {
            add(box, index.getOrDefault(2 * rank[box], 0), false);
        }
        for (int link = 0; link < links.size(); link++) {
            bends.add(new ArrayList<>());
            int upper = Layout.upper(links, backward, link);
            int lower = Layout.lower(links, backward, link);
            if (upper != lower) {
                chain(link, upper, lower);
            }
        }
    }

    int size() {
        return layers.size();
    }

    int vertices() {
        return sizes.size();
    }

    boolean isBend(int vertex) {
        return vertex >= boxes;
    }

    boolean isLabel(int vertex) {
        return label.get(vertex);
    }

    /** In their order from left to right; the caller may change it. */
    List<Integer> vertices(int layer) {
        return layers.get(layer);
    }

    int layer(int vertex) {
        return layerOf.get(vertex);
    }

    Box box(int vertex) {
        return sizes.get(vertex);
    }

    List<Integer> neighbours(int vertex, boolean up) {
        return up ? above.get(vertex) : below.get(vertex);
    }

    /** From the upper end to the lower one. */
    List<Integer> bends(int link) {
        return bends.get(link);
    }

    /** What a link meets first on its way down from its upper box. */
    int below(int link) {
        return bends.get(link).isEmpty()
                ? Layout.lower(links, backward, link)
                : bends.get(link).getFirst();
    }

    /** What a link leaves last on its way down to its lower box. */
    int above(int link) {
        return bends.get(link).isEmpty()
                ? Layout.upper(links, backward, link)
                : bends.get(link).getLast();
    }

    /** Boxes lie on even levels; an odd one is used where a label needs it. */
    private Map<Integer, Integer> index(int[] rank) {
        TreeSet<Integer> used = new TreeSet<>();
        for (int each : rank) {
            used.add(2 * each);
        }
        for (int link = 0; link < links.size(); link++) {
            if (links.get(link).labelled()
                    && links.get(link).from() != links.get(link).to()) {
                used.add(2 * rank[Layout.upper(links, backward, link)] + 1);
            }
        }
        Map<Integer, Integer> index = new TreeMap<>();
        for (int level : used) {
            index.put(level, index.size());
        }
        return index;
    }

    private void chain(int link, int upper, int lower) {
        int from = upper;
        boolean labelDue = links.get(link).labelled();
        for (int layer = layerOf.get(upper) + 1; layer < layerOf.get(lower); layer++) {
            int bend = sizes.size();
            sizes.add(labelDue ? new Box(links.get(link).labelWidth(), LABEL_HEIGHT) : new Box(BEND_WIDTH, 0));
            add(bend, layer, labelDue);
            labelDue = false;
            bends.get(link).add(bend);
            connect(from, bend);
            from = bend;
        }
        connect(from, lower);
    }

    private void add(int vertex, int layer, boolean isLabel) {
        layers.get(layer).add(vertex);
        layerOf.add(layer);
        label.add(isLabel);
        above.add(new ArrayList<>());
        below.add(new ArrayList<>());
    }

    private void connect(int upper, int lower) {
        below.get(upper).add(lower);
        above.get(lower).add(upper);
    }
}
