package dev.flowstone.kernel.json;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object being read. Refuses a name that it has already. */
final class OpenObject extends OpenContainer {
    private final Map<String, JsonValue> members = new LinkedHashMap<>();
    private String name = "";
    private int nameOffset;

    OpenObject(@Nullable OpenContainer parent) {
        super(parent);
    }

    @Override
    void first(JsonInput in) throws JsonSyntaxException {
        readName(in);
    }

    @Override
    void add(JsonInput in, JsonValue value) throws JsonSyntaxException {
        if (members.put(name, value) != null) {
            throw in.fault(nameOffset, "the member name " + Hints.quoted(name) + " stands twice in one object");
        }
    }

    @Override
    boolean more(JsonInput in) throws JsonSyntaxException {
        if (!comma(in, '}', "',' or '}' after a member's value")) {
            return false;
        }
        readName(in);
        return true;
    }

    private void readName(JsonInput in) throws JsonSyntaxException {
        if (in.peek() != '"') {
            throw in.expected("a member name in double quotes");
        }
        nameOffset = in.at;
        name = StringScanner.read(in);
        in.skipSpace();
        if (in.peek() != ':') {
            throw in.expected("':' after the member name " + Hints.quoted(name));
        }
        in.at++;
        in.skipSpace();
    }

    @Override
    int nameOffset() {
        return nameOffset;
    }

    @Override
    JsonValue value() {
        return JsonObject.owning(members);
    }
}
