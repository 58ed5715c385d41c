package dev.flowstone.dialect.drawing.layout;

import java.util.List;

/**
 * Places the ordered layers. Sideways, every vertex wants to be at the mean of its neighbours; a layer's best places
 * without overlap are found exactly, by pooling neighbours that push each other (isotonic regression), in sweeps down and
 * up. Bends pull hardest, so that long links run straight.
 */
final class Coordinates {
    private static final double APART = 28;
    private static final double BENDS_APART = 16;
    private static final double LAYERS_APART = 44;
    private static final double LABEL_APART = 16;
    private static final int SWEEPS = 60;
    private static final int SWEEPS_IF_MANY = 12;
    /** Beyond this many vertices fewer sweeps must do. */
    private static final int MANY = 4_000;

    private final Layers layers;
    private final double[] x;
    private final double[] top;
    private final double[] height;
    private double width;

    Coordinates(Layers layers) {
        this.layers = layers;
        this.x = new double[layers.vertices()];
        this.top = new double[layers.size()];
        this.height = new double[layers.size()];
    }

    void place() {
        for (int layer = 0; layer < layers.size(); layer++) {
            pack(layer);
        }
        int sweeps = layers.vertices() > MANY ? SWEEPS_IF_MANY : SWEEPS;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            boolean down = sweep % 2 == 0;
            boolean both = sweep >= sweeps / 2;
            for (int i = 0; i < layers.size(); i++) {
                improve(down ? i : layers.size() - 1 - i, down || both, !down || both);
            }
        }
        moveToTheEdge();
        stack();
    }

    Point centre(int vertex) {
        int layer = layers.layer(vertex);
        return new Point(x[vertex], top[layer] + height[layer] / 2);
    }

    double top(int layer) {
        return top[layer];
    }

    double bottom(int layer) {
        return top[layer] + height[layer];
    }

    double width() {
        return width;
    }

    double height() {
        return layers.size() == 0 ? 0 : bottom(layers.size() - 1);
    }

    private void pack(int layer) {
        List<Integer> vertices = layers.vertices(layer);
        for (int i = 1; i < vertices.size(); i++) {
            x[vertices.get(i)] = x[vertices.get(i - 1)] + apart(vertices.get(i - 1), vertices.get(i));
        }
        double middle = vertices.isEmpty() ? 0 : x[vertices.getLast()] / 2;
        for (int vertex : vertices) {
            x[vertex] -= middle;
        }
    }

    private double apart(int left, int right) {
        double gap = layers.isBend(left) || layers.isBend(right) ? BENDS_APART : APART;
        return layers.box(left).width() / 2 + gap + layers.box(right).width() / 2;
    }

    private void improve(int layer, boolean byUpper, boolean byLower) {
        List<Integer> vertices = layers.vertices(layer);
        double[] wanted = new double[vertices.size()];
        double[] weight = new double[vertices.size()];
        double offset = 0;
        double[] offsets = new double[vertices.size()];
        for (int i = 0; i < vertices.size(); i++) {
            int vertex = vertices.get(i);
            offset += i == 0 ? 0 : apart(vertices.get(i - 1), vertex);
            offsets[i] = offset;
            double sum = 0.01 * x[vertex];
            weight[i] = 0.01;
            for (int side = 0; side < 2; side++) {
                if (side == 0 ? byUpper : byLower) {
                    for (int neighbour : layers.neighbours(vertex, side == 0)) {
                        double pull = pull(vertex, neighbour);
                        sum += pull * x[neighbour];
                        weight[i] += pull;
                    }
                }
            }
            wanted[i] = sum / weight[i] - offset;
        }
        pool(wanted, weight);
        for (int i = 0; i < vertices.size(); i++) {
            x[vertices.get(i)] = wanted[i] + offsets[i];
        }
    }

    private double pull(int one, int other) {
        int bends = (layers.isBend(one) ? 1 : 0) + (layers.isBend(other) ? 1 : 0);
        return bends == 2 ? 20 : bends == 1 ? 2 : 1;
    }

    /** The non-decreasing values that are nearest to the wanted ones, in place. */
    private static void pool(double[] wanted, double[] weight) {
        int[] length = new int[wanted.length];
        double[] mean = new double[wanted.length];
        double[] mass = new double[wanted.length];
        int pools = 0;
        for (int i = 0; i < wanted.length; i++) {
            mean[pools] = wanted[i];
            mass[pools] = weight[i];
            length[pools] = 1;
            pools++;
            while (pools > 1 && mean[pools - 2] > mean[pools - 1]) {
                int left = pools - 2;
                double both = mass[left] + mass[left + 1];
                mean[left] = (mean[left] * mass[left] + mean[left + 1] * mass[left + 1]) / both;
                mass[left] = both;
                length[left] += length[left + 1];
                pools--;
            }
        }
        int at = 0;
        for (int pool = 0; pool < pools; pool++) {
            for (int i = 0; i < length[pool]; i++) {
                wanted[at++] = mean[pool];
            }
        }
    }

    private void moveToTheEdge() {
        double left = Double.POSITIVE_INFINITY;
        double right = Double.NEGATIVE_INFINITY;
        for (int vertex = 0; vertex < x.length; vertex++) {
            left = Math.min(left, x[vertex] - layers.box(vertex).width() / 2);
            right = Math.max(right, x[vertex] + layers.box(vertex).width() / 2);
        }
        for (int vertex = 0; vertex < x.length; vertex++) {
            x[vertex] -= left;
        }
        width = x.length == 0 ? 0 : right - left;
    }

    private void stack() {
        double y = 0;
        for (int layer = 0; layer < layers.size(); layer++) {
            boolean labels = false;
            for (int vertex : layers.vertices(layer)) {
                height[layer] = Math.max(height[layer], layers.box(vertex).height());
                labels |= layers.isLabel(vertex);
            }
            if (layer > 0) {
                boolean before = layers.vertices(layer - 1).stream().anyMatch(layers::isLabel);
                y += labels || before ? LABEL_APART + 6 : LAYERS_APART;
            }
            top[layer] = y;
            y += height[layer];
        }
    }
}
