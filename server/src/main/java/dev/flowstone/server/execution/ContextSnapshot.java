package dev.flowstone.server.execution;

import dev.flowstone.dialect.dag.definition.Settings;
import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
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

    /** What it shows, or has to look at. */
    public List<Payload> payloads() {
        return state.results().entrySet().stream()
                .filter(one -> shows(one.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The answer's member. */
    public JsonObject toJson(Payloads values) {
        JsonObject.Builder data = JsonObject.builder();
        Map<NodeId, Long> omitted = state.omitted();
        state.results().forEach((node, result) -> {
            if (shows(node)) {
                data.put(
                        node.value(),
                        mode.equals(ContextDefaults.SUMMARY_ONLY)
                                ? summary(result, Optional.ofNullable(omitted.get(node)), values)
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

    private static JsonObject summary(Payload result, Optional<Long> omitted, Payloads values) {
        JsonObject.Builder summary = JsonObject.builder().put("bytes", omitted.orElseGet(() -> PayloadSize.of(result)));
        if (omitted.isPresent()) {
            summary.put("omitted", true);
        } else {
            summary.put(
                    "type",
                    values.found(result).<JsonValue>map(ContextSnapshot::type).orElse(JsonNull.NULL));
        }
        return summary.build();
    }

    private static JsonString type(JsonValue value) {
        return new JsonString(
                switch (value) {
                    case JsonObject _ -> "object";
                    case JsonArray _ -> "array";
                    case JsonString _ -> "string";
                    case JsonNumber _ -> "number";
                    case JsonBoolean _ -> "boolean";
                    case JsonNull _ -> "null";
                });
    }
}
