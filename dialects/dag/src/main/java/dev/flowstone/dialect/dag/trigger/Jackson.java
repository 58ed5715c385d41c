package dev.flowstone.dialect.dag.trigger;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Our JSON values as the schema validator's, numbers exact. */
public final class Jackson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Jackson() {}

    public static JsonNode node(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                ObjectNode node = NODES.objectNode();
                object.members().forEach((name, member) -> node.set(name, node(member)));
                yield node;
            }
            case JsonArray array -> {
                ArrayNode node = NODES.arrayNode(array.items().size());
                array.items().forEach(item -> node.add(node(item)));
                yield node;
            }
            case JsonString string -> NODES.stringNode(string.value());
            case JsonNumber number -> number(number.decimalValue());
            case JsonBoolean bool -> NODES.booleanNode(bool.value());
            case JsonNull none -> NODES.nullNode();
        };
    }

    /** A whole number however it is written: to JSON Schema {@code 1.0} and {@code 1e3} are integers. */
    private static JsonNode number(BigDecimal number) {
        BigDecimal plain = number.stripTrailingZeros();
        if (plain.scale() > 0) {
            return NODES.numberNode(plain);
        }
        return plain.precision() - plain.scale() <= 18
                ? NODES.numberNode(plain.longValueExact())
                : NODES.numberNode(plain.toBigIntegerExact());
    }
}
