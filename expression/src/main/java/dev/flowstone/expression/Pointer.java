package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;

/** A place in a JSON value while it is walked; its text is the JSON pointer (RFC 6901). */
final class Pointer {
    private final List<Object> tokens = new ArrayList<>();

    void enter(Object token) {
        tokens.add(token);
    }

    void leave() {
        tokens.removeLast();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Object token : tokens) {
            text.append('/').append(JsonPointer.escape(token.toString()));
        }
        return text.toString();
    }
}
