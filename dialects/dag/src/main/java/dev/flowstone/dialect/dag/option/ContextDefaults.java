package dev.flowstone.dialect.dag.option;

import java.util.List;

/**
 * What is kept of the data of runs whose definition doesn't say (dataflow.md §8.4).
 *
 * @param snapshot one of {@link #SNAPSHOTS}
 * @param keys the nodes whose data {@code KeysOnly} keeps
 * @param overflow one of {@link #OVERFLOWS}
 */
public record ContextDefaults(String snapshot, List<String> keys, String overflow) {
    public static final String SUMMARY_ONLY = "SummaryOnly";
    public static final String FULL = "Full";
    public static final String KEYS_ONLY = "KeysOnly";
    public static final List<String> SNAPSHOTS = List.of(SUMMARY_ONLY, FULL, KEYS_ONLY);

    public static final String FAIL = "Fail";
    public static final String AUTO_PRUNE_OLDEST = "AutoPruneOldest";
    public static final String DROP_OVERSIZE = "DropOversize";
    public static final List<String> OVERFLOWS = List.of(FAIL, AUTO_PRUNE_OLDEST, DROP_OVERSIZE);

    public static final ContextDefaults DEFAULT = new ContextDefaults(SUMMARY_ONLY, List.of(), FAIL);

    public ContextDefaults {
        keys = List.copyOf(keys);
        if (!SNAPSHOTS.contains(snapshot) || !OVERFLOWS.contains(overflow)) {
            throw new IllegalArgumentException("no rule of contexts: " + snapshot + ", " + overflow);
        }
        if (snapshot.equals(KEYS_ONLY) == keys.isEmpty()) {
            throw new IllegalArgumentException("a context snapshot keeps named keys if it is " + KEYS_ONLY
                    + ", and only then: context.snapshot is " + snapshot + ", context.keys is " + keys);
        }
    }
}
