package dev.flowstone.dialect.dag.definition;

import dev.flowstone.dialect.dag.definition.Settings.Context;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.dialect.dag.option.DagOptions.Limits;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads a definition's {@code settings}. */
final class SettingsReader {
    private final Limits limits;
    private final Faults faults;
    private final Nearest nearest;

    SettingsReader(Limits limits, Faults faults, Nearest nearest) {
        this.limits = limits;
        this.faults = faults;
        this.nearest = nearest;
    }

    /** @param nodes ids of the workflow's nodes */
    Settings read(Members workflow, List<String> nodes) {
        Optional<JsonObject> object = workflow.object("settings");
        if (object.isEmpty()) {
            return Settings.NONE;
        }
        Members members = new Members(object.get(), workflow.pointer("settings"), Format.SETTINGS, faults, nearest);
        Optional<Duration> timeout = members.integer(
                        "timeoutMs", 1, limits.maxDelay().toMillis(), "maxDelay")
                .map(Duration::ofMillis);
        Optional<Integer> parallel =
                members.integer("maxParallelActions", 1, Integer.MAX_VALUE, "").map(Long::intValue);
        return new Settings(timeout, parallel, context(members, nodes));
    }

    private Context context(Members settings, List<String> nodes) {
        Optional<JsonObject> object = settings.object("context");
        if (object.isEmpty()) {
            return Context.NONE;
        }
        Members members = new Members(object.get(), settings.pointer("context"), Format.CONTEXT, faults, nearest);
        Optional<String> snapshot = members.oneOf("snapshot", ContextDefaults.SNAPSHOTS, nearest);
        Context context = new Context(
                snapshot,
                keys(members, nodes),
                members.integer("maxBytes", 1, Integer.MAX_VALUE, "").map(Long::intValue),
                members.oneOf("overflow", ContextDefaults.OVERFLOWS, nearest));
        if (snapshot.filter(ContextDefaults.KEYS_ONLY::equals).isPresent()) {
            members.require("keys", "'context'", "name the nodes whose outputs are kept");
        } else if (members.has("keys")) {
            faults.addAtName(
                    FaultCode.IGNORED_PROPERTY,
                    members.pointer("keys"),
                    "'keys' has no effect: only the snapshot 'KeysOnly' asks for them",
                    "remove it, or say \"snapshot\": \"KeysOnly\"");
        }
        return context;
    }

    private List<String> keys(Members context, List<String> nodes) {
        Set<String> known = Set.copyOf(nodes);
        List<String> keys = new ArrayList<>();
        List<JsonValue> items = context.array("keys").map(JsonArray::items).orElse(List.of());
        for (int i = 0; i < items.size(); i++) {
            String pointer = context.pointer("keys") + "/" + i;
            if (!(items.get(i) instanceof JsonString key)) {
                faults.add(
                        FaultCode.WRONG_TYPE,
                        pointer,
                        "a key must be a string, but is " + Members.kind(items.get(i)),
                        "write the id of a node");
                continue;
            }
            keys.add(key.value());
            if (!known.contains(key.value())) {
                faults.add(
                        FaultCode.UNKNOWN_NODE_REFERENCE,
                        pointer,
                        "this keeps the data of " + Quoted.text(key.value()) + ", and there is no such node",
                        nearest.orElse(key.value(), nodes, "name one of the workflow's nodes"));
            }
        }
        return keys;
    }
}
