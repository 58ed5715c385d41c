package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.DataEvent.ContextPruned;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.DataEvent.VariablesSet;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.util.SortedMap;
import java.util.TreeMap;

/** Stored forms of what happens to a run's data. */
final class DataForms {
    private DataForms() {}

    static void write(FrameOutput out, DataEvent event) {
        switch (event) {
            case SubjectChanged body -> {
                out.name("byThisRun").bool(body.byThisRun());
                out.name("subjectVersion").number(body.subjectVersion());
            }
            case ContextPruned body -> {
                JsonObject.Builder bytes = JsonObject.builder();
                body.bytes().forEach((node, length) -> bytes.put(node.value(), length));
                out.name("bytes").value(bytes.build());
            }
            case VariablesSet body -> {
                body.activation().ifPresent(activation -> out.name("activation").string(activation.toString()));
                out.name("assigned").value(JsonObject.of(new TreeMap<>(body.assigned())));
                body.reason().ifPresent(reason -> out.name("reason").string(reason));
            }
        }
    }

    static DataEvent read(String kind, JsonCursor at) {
        return switch (kind) {
            case "SubjectChanged" -> new SubjectChanged(at.bool("byThisRun"), at.longValue("subjectVersion"));
            case "ContextPruned" -> {
                SortedMap<NodeId, Long> bytes = new TreeMap<>();
                at.member("bytes").members().forEach(one -> bytes.put(new NodeId(one.token()), one.longValue()));
                yield new ContextPruned(bytes);
            }
            case "VariablesSet" ->
                new VariablesSet(
                        at.find("activation").map(activation -> activation.as(ActivationId::parse)),
                        at.member("assigned").object().members(),
                        at.find("reason").map(JsonCursor::string));
            default -> throw at.fault("no event " + kind + " about data");
        };
    }
}
