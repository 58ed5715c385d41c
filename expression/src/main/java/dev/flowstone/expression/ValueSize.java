package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;

/**
 * Charges for a whole value that becomes part of a result. A thousand references to one large array are small in memory
 * and enormous once written out.
 */
final class ValueSize {
    private ValueSize() {}

    static void charge(JsonValue value, Meter meter, int depth) {
        switch (value) {
            case JsonString text -> meter.bytes(16 + 2L * text.value().length());
            case JsonArray array -> {
                meter.depth(depth);
                meter.elements(array.items().size());
                for (JsonValue item : array.items()) {
                    charge(item, meter, depth + 1);
                }
            }
            case JsonObject object -> {
                meter.depth(depth);
                meter.elements(object.members().size());
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    meter.bytes(16 + 2L * member.getKey().length());
                    charge(member.getValue(), meter, depth + 1);
                }
            }
            default -> meter.bytes(16);
        }
    }
}
