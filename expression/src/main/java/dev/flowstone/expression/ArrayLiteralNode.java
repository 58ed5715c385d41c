package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** {@code [a, b]}. */
record ArrayLiteralNode(List<Node> elements, int position) implements Node {
    ArrayLiteralNode {
        elements = List.copyOf(elements);
    }

    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        frame.meter().elements(elements.size());
        List<JsonValue> items = new ArrayList<>(elements.size());
        for (Node element : elements) {
            items.add(Coercion.element(element.evaluate(frame), position));
        }
        return new JsonArray(items);
    }
}
