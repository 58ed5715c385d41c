package dev.flowstone.kernel.state;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rough sizes in bytes of heap, for the bound of a cache of states. */
final class Weight {
    static final long STATE = 1_000;
    static final long ACTIVATION = 400;
    static final long ITEM = 100;
    static final long TIMER = 250;
    private static final long VALUE = 32;

    private Weight() {}

    /** Of a whole state, as appliers count it event by event; for snapshots. */
    static long of(Draft draft) {
        long sum = STATE + ITEM * draft.queue.size() + TIMER * draft.timers.size() + of(draft.output);
        for (Payload root : draft.input.values()) {
            sum += of(root);
        }
        for (JsonObject input : draft.control.buffer().values()) {
            sum += HoldApplier.weight(input);
        }
        for (NodeState node : draft.nodes.values()) {
            sum += of(node.result()) + ACTIVATION * node.activations().size();
            for (Activation activation : node.activations().values()) {
                sum += of(activation.input());
            }
        }
        return sum;
    }

    /** Cost linear in the value; nothing for none. */
    static long of(@Nullable Payload payload) {
        if (payload == null) {
            return 0;
        }
        if (!(payload instanceof Payload.Inline inline)) {
            return VALUE;
        }
        long sum = 0;
        Deque<JsonValue> open = new ArrayDeque<>();
        open.push(inline.value());
        while (!open.isEmpty()) {
            JsonValue value = open.pop();
            sum += VALUE;
            switch (value) {
                case JsonString string -> sum += string.value().length();
                case JsonArray array -> array.items().forEach(open::push);
                case JsonObject object -> {
                    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                        sum += VALUE + member.getKey().length();
                        open.push(member.getValue());
                    }
                }
                default -> {}
            }
        }
        return sum;
    }
}
