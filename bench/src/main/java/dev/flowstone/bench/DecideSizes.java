package dev.flowstone.bench;

/**
 * How large the shapes are that decisions are measured on.
 *
 * @param width of the fan-out, of a layer of the large DAG, and of the fork's window
 * @param layers of the large DAG
 * @param elements of the fork
 * @param steps of the long run; at least 5,000
 */
public record DecideSizes(int width, int layers, int elements, int steps) {
    public static final DecideSizes DEFAULT = new DecideSizes(100, 100, 10_000, 100_000);
}
