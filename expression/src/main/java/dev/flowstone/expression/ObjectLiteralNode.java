package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/** {@code {a: 1, b}}. A member whose value is undefined is left out, as JSON does. */
record ObjectLiteralNode(List<Property> properties, int position) implements Node {
    record Property(String name, Node value) {}

    ObjectLiteralNode {
        properties = List.copyOf(properties);
    }

    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        frame.meter().elements(6L * properties.size());
        JsonObject.Builder object = JsonObject.builder();
        for (Property property : properties) {
            Object value = property.value.evaluate(frame);
            if (value != Undefined.UNDEFINED) {
                object.put(property.name, Coercion.element(value, position));
            }
        }
        return object.build();
    }
}
