package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonString;
import java.util.List;

/** {@code `text ${expression} text`}. */
record TemplateText(List<Node> parts, int position) implements Node {
    TemplateText {
        parts = List.copyOf(parts);
    }

    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        MeteredText text = new MeteredText(frame.meter());
        for (Node part : parts) {
            text.append(Coercion.text(part.evaluate(frame), frame.meter(), position));
        }
        return new JsonString(text.toString());
    }
}
