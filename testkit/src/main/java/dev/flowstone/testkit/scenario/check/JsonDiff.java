package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How two JSON values differ: one line for each place, with its JSON pointer. Members' order never counts, {@code 1.0} is
 * {@code 1}. As a subset, members that nobody expects are none; lists are as long as expected either way.
 */
public final class JsonDiff {
    private static final int MOST = 30;
    private static final int SHOWN = 200;

    private final boolean whole;
    private final List<String> lines = new ArrayList<>();

    private JsonDiff(boolean whole) {
        this.whole = whole;
    }

    static List<String> exact(JsonValue expected, JsonValue actual) {
        return of(true, expected, actual);
    }

    public static List<String> subset(JsonValue expected, JsonValue actual) {
        return of(false, expected, actual);
    }

    static String shown(JsonValue value) {
        String text = CanonicalJson.exactText(value);
        return text.codePointCount(0, text.length()) <= SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "… (" + text.length() + " characters)";
    }

    private static List<String> of(boolean whole, JsonValue expected, JsonValue actual) {
        JsonDiff diff = new JsonDiff(whole);
        diff.compare(JsonPointer.ROOT, expected, actual);
        int more = diff.lines.size() - MOST;
        if (more > 0) {
            diff.lines.subList(MOST, diff.lines.size()).clear();
            diff.lines.add("and " + more + " more differences");
        }
        return List.copyOf(diff.lines);
    }

    private void compare(JsonPointer at, JsonValue expected, JsonValue actual) {
        if (expected instanceof JsonObject left && actual instanceof JsonObject right) {
            members(at, left, right);
        } else if (expected instanceof JsonArray left && actual instanceof JsonArray right) {
            items(at, left.items(), right.items());
        } else if (!expected.equals(actual)) {
            lines.add(name(at) + "expected " + shown(expected) + ", was " + shown(actual));
        }
    }

    private void members(JsonPointer at, JsonObject expected, JsonObject actual) {
        for (Map.Entry<String, JsonValue> member : expected.members().entrySet()) {
            JsonValue found = actual.get(member.getKey());
            JsonPointer child = at.child(member.getKey());
            if (found == null) {
                lines.add(name(child) + "expected " + shown(member.getValue()) + ", is missing");
            } else {
                compare(child, member.getValue(), found);
            }
        }
        if (whole) {
            actual.members().forEach((name, value) -> {
                if (expected.get(name) == null) {
                    lines.add(name(at.child(name)) + "not expected, was " + shown(value));
                }
            });
        }
    }

    private void items(JsonPointer at, List<JsonValue> expected, List<JsonValue> actual) {
        int both = Math.min(expected.size(), actual.size());
        for (int i = 0; i < both; i++) {
            compare(at.child(i), expected.get(i), actual.get(i));
        }
        for (int i = both; i < expected.size(); i++) {
            lines.add(name(at.child(i)) + "expected " + shown(expected.get(i)) + ", is missing");
        }
        for (int i = both; i < actual.size(); i++) {
            lines.add(name(at.child(i)) + "not expected, was " + shown(actual.get(i)));
        }
    }

    private static String name(JsonPointer at) {
        return at.tokens().isEmpty() ? "" : at + "  ";
    }
}
