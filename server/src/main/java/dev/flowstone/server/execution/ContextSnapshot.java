package dev.flowstone.server.execution;

import dev.flowstone.dialect.dag.definition.Settings;
import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.RunState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a run's expressions see of its nodes, in the mode that its workflow has (dataflow.md §8.4): computed from the run whenever it is
 * asked for, so that it is the last one once the run has ended. {@code {"mode": "SummaryOnly", "bytes": 4711, "data": {…}}}.
 */
public final class ContextSnapshot {
    private static final String CONTEXT = "context";

    private final RunState state;
    private final String mode;
    private final Set<String> keys;

    public ContextSnapshot(RunState state) {
        this.state = state;
        JsonObject settings = object(state.program().metadata(), Settings.METADATA);
        JsonObject context = object(settings, CONTEXT);
        this.mode = context.get("snapshot") instanceof JsonString it ? it.value() : ContextDefaults.SUMMARY_ONLY;
        this.keys = keys(context);
    }

    private static JsonObject object(JsonObject in, String name) {
        return in.get(name) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    private static Set<String> keys(JsonObject context) {
        Set<String> keys = new HashSet<>();
        if (context.get("keys") instanceof JsonArray array) {
            for (JsonValue item : array.items()) {
                if (item instanceof JsonString key) {
                    keys.add(key.value());
                }
            }
        }
        return keys;
    }

    /** Whose values it shows. */
    public List<Payload> payloads() {
        return isSummary() ? List.of() : shown();
    }

    /** Of whom it shows what kind of value they are. */
    public List<Payload> summed() {
        return isSummary() ? shown() : List.of();
    }

    private boolean isSummary() {
        return mode.equals(ContextDefaults.SUMMARY_ONLY);
    }

    private List<Payload> shown() {
        return state.results().entrySet().stream()
                .filter(one -> shows(one.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * The answer's member.
     *
     * @param values of {@link #payloads}
     * @param types of {@link #summed}
     */
    public JsonObject toJson(Payloads values, PayloadTypes types) {
        JsonObject.Builder data = JsonObject.builder();
        Map<NodeId, Long> omitted = state.omitted();
        state.results().forEach((node, result) -> {
            if (shows(node)) {
                data.put(
                        node.value(),
                        isSummary()
                                ? summary(result, Optional.ofNullable(omitted.get(node)), types)
                                : ChildResult.seen(state.program().node(node), result, values.value(result)));
            }
        });
        return JsonObject.builder()
                .put("mode", mode)
                .put("bytes", state.contextBytes())
                .put("data", data.build())
                .build();
    }

    private boolean shows(NodeId node) {
        return !mode.equals(ContextDefaults.KEYS_ONLY) || keys.contains(node.value());
    }

    private static JsonObject summary(Payload result, Optional<Long> omitted, PayloadTypes types) {
        JsonObject.Builder summary = JsonObject.builder().put("bytes", omitted.orElseGet(() -> PayloadSize.of(result)));
        if (omitted.isPresent()) {
            summary.put("omitted", true);
        } else {
            summary.put("type", types.of(result).<JsonValue>map(JsonString::new).orElse(JsonNull.NULL));
        }
        return summary.build();
    }
}
