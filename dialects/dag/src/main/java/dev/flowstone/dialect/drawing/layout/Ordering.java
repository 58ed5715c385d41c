package dev.flowstone.dialect.drawing.layout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Orders each layer so that few links cross: sweeps down and up, sorting every layer by the mean place of its neighbours
 * in the layer before; the order with the fewest crossings wins.
 */
final class Ordering {
    private static final int SWEEPS = 24;
    /** Beyond this many vertices fewer sweeps must do. */
    private static final int MANY = 4_000;

    private final Layers layers;
    private final double[] place;

    Ordering(Layers layers) {
        this.layers = layers;
        this.place = new double[layers.vertices()];
    }

    void order() {
        depthFirst();
        List<List<Integer>> best = copy();
        long fewest = crossings();
        int sweeps = layers.vertices() > MANY ? SWEEPS / 4 : SWEEPS;
        for (int sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 1; i < layers.size(); i++) {
                sort(down ? i : layers.size() - 1 - i, down);
            }
            long crossings = crossings();
            if (crossings < fewest) {
                fewest = crossings;
                best = copy();
            }
        }
        for (int layer = 0; layer < layers.size(); layer++) {
            layers.vertices(layer).clear();
            layers.vertices(layer).addAll(best.get(layer));
        }
    }

    /** The first order: as a depth-first walk from the top meets them, so that a tree has no crossings. */
    private void depthFirst() {
        int[] met = new int[layers.vertices()];
        int count = 0;
        boolean[] seen = new boolean[layers.vertices()];
        Deque<Integer> open = new ArrayDeque<>();
        for (int layer = 0; layer < layers.size(); layer++) {
            for (int root : layers.vertices(layer)) {
                open.push(root);
                while (!open.isEmpty()) {
                    int vertex = open.pop();
                    if (seen[vertex]) {
                        continue;
                    }
                    seen[vertex] = true;
                    met[vertex] = count++;
                    List<Integer> below = layers.neighbours(vertex, false);
                    for (int i = below.size() - 1; i >= 0; i--) {
                        open.push(below.get(i));
                    }
                }
            }
        }
        for (int layer = 0; layer < layers.size(); layer++) {
            layers.vertices(layer).sort(Comparator.comparingInt(vertex -> met[vertex]));
            number(layer);
        }
    }

    private void sort(int layer, boolean byUpper) {
        List<Integer> vertices = layers.vertices(layer);
        double[] mean = new double[vertices.size()];
        Integer[] order = new Integer[vertices.size()];
        for (int i = 0; i < mean.length; i++) {
            List<Integer> neighbours = layers.neighbours(vertices.get(i), byUpper);
            double sum = 0;
            for (int neighbour : neighbours) {
                sum += place[neighbour];
            }
            mean[i] = neighbours.isEmpty() ? i : sum / neighbours.size();
            order[i] = i;
        }
        java.util.Arrays.sort(order, Comparator.comparingDouble(i -> mean[i]));
        List<Integer> sorted = new ArrayList<>();
        for (int i : order) {
            sorted.add(vertices.get(i));
        }
        vertices.clear();
        vertices.addAll(sorted);
        number(layer);
    }

    private void number(int layer) {
        List<Integer> vertices = layers.vertices(layer);
        for (int i = 0; i < vertices.size(); i++) {
            place[vertices.get(i)] = i;
        }
    }

    private long crossings() {
        long crossings = 0;
        for (int layer = 0; layer + 1 < layers.size(); layer++) {
            crossings += crossings(layer);
        }
        return crossings;
    }

    /** Counts pairs of links that change sides, by a tree of partial sums over the lower layer. */
    private long crossings(int layer) {
        int width = layers.vertices(layer + 1).size();
        int[] sums = new int[width + 1];
        long crossings = 0;
        int total = 0;
        for (int vertex : layers.vertices(layer)) {
            List<Integer> below = new ArrayList<>(layers.neighbours(vertex, false));
            for (int neighbour : below) {
                int notRight = 0;
                for (int i = (int) place[neighbour] + 1; i > 0; i -= i & -i) {
                    notRight += sums[i];
                }
                crossings += total - notRight;
            }
            for (int neighbour : below) {
                total++;
                for (int i = (int) place[neighbour] + 1; i <= width; i += i & -i) {
                    sums[i]++;
                }
            }
        }
        return crossings;
    }

    private List<List<Integer>> copy() {
        List<List<Integer>> copy = new ArrayList<>();
        for (int layer = 0; layer < layers.size(); layer++) {
            copy.add(List.copyOf(layers.vertices(layer)));
        }
        return copy;
    }
}
