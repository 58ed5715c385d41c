package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonBoolean;

/** {@code /expression/.test(text)}. */
record RegexTest(LinearRegex regex, Node text, int position) implements Node {
    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        String value = Coercion.text(text.evaluate(frame), frame.meter(), position);
        return JsonBoolean.of(regex.test(value, frame.meter(), position));
    }
}
