package dev.flowstone.dialect.dag.definition;

import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.ContextRule;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.program.Program;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a definition sets for its runs as a whole; what is empty comes from the options. The timeout becomes the program's
 * deadline; the other members stand in its metadata under {@link #METADATA}, as they are written in the definition.
 *
 * @param timeout of a run, from its start
 * @param maxParallelActions of one run, at once
 */
public record Settings(Optional<Duration> timeout, Optional<Integer> maxParallelActions, Context context) {
    /** The member of a program's metadata. */
    public static final String METADATA = Program.SETTINGS;

    public static final Settings NONE = new Settings(Optional.empty(), Optional.empty(), Context.NONE);

    /**
     * What the program's metadata hold: what the definition says, and what is set otherwise than by default where it says
     * nothing; empty if that is nothing.
     */
    public JsonObject metadata(ContextDefaults defaults) {
        JsonObject.Builder json = JsonObject.builder();
        maxParallelActions.ifPresent(it -> json.put(Program.MOST_ACTIONS, it));
        JsonObject kept = context.or(defaults).toJson();
        if (!kept.members().isEmpty()) {
            json.put("context", kept);
        }
        return json.build();
    }

    /**
     * What is kept of the data that a run's nodes gave (dataflow.md §8.4).
     *
     * @param snapshot {@code SummaryOnly}, {@code Full} or {@code KeysOnly}
     * @param keys the nodes that {@code KeysOnly} keeps
     * @param maxBytes of the run's input and its nodes' data together, where that is less than what is allowed to all
     * @param overflow {@code Fail}, {@code AutoPruneOldest} or {@code DropOversize}
     */
    public record Context(
            Optional<String> snapshot, List<String> keys, Optional<Integer> maxBytes, Optional<String> overflow) {
        public static final Context NONE = new Context(Optional.empty(), List.of(), Optional.empty(), Optional.empty());

        public Context {
            keys = List.copyOf(keys);
        }

        /** With what is set for all where this says nothing; what is so by default stays open. */
        public Context or(ContextDefaults defaults) {
            boolean othersSnapshot =
                    snapshot.isEmpty() && !defaults.snapshot().equals(ContextDefaults.DEFAULT.snapshot());
            boolean othersOverflow =
                    overflow.isEmpty() && !defaults.overflow().equals(ContextDefaults.DEFAULT.overflow());
            return new Context(
                    othersSnapshot ? Optional.of(defaults.snapshot()) : snapshot,
                    othersSnapshot ? defaults.keys() : keys,
                    maxBytes,
                    othersOverflow ? Optional.of(defaults.overflow()) : overflow);
        }

        /** As the kernel takes it. */
        public ContextRule rule() {
            return new ContextRule(
                    switch (overflow.orElse(ContextDefaults.FAIL)) {
                        case ContextDefaults.AUTO_PRUNE_OLDEST -> Overflow.AUTO_PRUNE_OLDEST;
                        case ContextDefaults.DROP_OVERSIZE -> Overflow.DROP_OVERSIZE;
                        default -> Overflow.FAIL;
                    },
                    maxBytes);
        }

        private JsonObject toJson() {
            JsonObject.Builder json = JsonObject.builder().putIfPresent("snapshot", snapshot);
            if (!keys.isEmpty()) {
                json.put(
                        "keys",
                        new JsonArray(
                                List.copyOf(keys.stream().map(JsonString::new).toList())));
            }
            maxBytes.ifPresent(it -> json.put("maxBytes", it));
            return json.putIfPresent("overflow", overflow).build();
        }
    }
}
