package dev.flowstone.dialect.states;

/**
 * What a source may not exceed.
 *
 * @param maxSourceBytes of the text
 * @param maxNesting of arrays and objects in the text
 * @param maxStates in all regions together
 * @param maxExpressions conditions and templates, which are dear to compile
 * @param maxFaults that one answer shows
 * @param maxMarkings that the soundness check looks at
 */
public record StatesOptions(
        int maxSourceBytes, int maxNesting, int maxStates, int maxExpressions, int maxFaults, int maxMarkings) {
    public static final StatesOptions DEFAULT = new StatesOptions(4 << 20, 64, 2_000, 10_000, 500, 50_000);

    public StatesOptions {
        if (maxSourceBytes < 1
                || maxNesting < 1
                || maxStates < 1
                || maxExpressions < 1
                || maxFaults < 1
                || maxMarkings < 1) {
            throw new IllegalArgumentException("limits are at least 1");
        }
    }

    public StatesOptions withStates(int states, int expressions) {
        return new StatesOptions(maxSourceBytes, maxNesting, states, expressions, maxFaults, maxMarkings);
    }

    public StatesOptions withMarkings(int markings) {
        return new StatesOptions(maxSourceBytes, maxNesting, maxStates, maxExpressions, maxFaults, markings);
    }
}
