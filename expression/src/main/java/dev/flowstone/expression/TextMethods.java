package dev.flowstone.expression;

import static java.util.Map.entry;

import dev.flowstone.expression.Methods.Body;
import dev.flowstone.expression.Methods.Method;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What can be called on a string. Positions and lengths count UTF-16 code units, as in JavaScript. */
final class TextMethods {
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    static final Map<String, Method<String>> ALL = Map.ofEntries(
            method("includes", 2, (self, given) -> JsonBoolean.of(find(self, given) >= 0)),
            method("indexOf", 2, (self, given) -> JsonNumber.of(find(self, given))),
            method("startsWith", 2, TextMethods::startsWith),
            method("endsWith", 2, TextMethods::endsWith),
            method("at", 1, TextMethods::at),
            method("charAt", 1, (self, given) -> {
                int index = given.integer(0, 0);
                return piece(self, index, index >= 0 && index < self.length() ? index + 1 : index, given);
            }),
            method("slice", 2, (self, given) -> {
                int from = given.relative(0, self.length(), 0);
                return piece(self, from, given.relative(1, self.length(), self.length()), given);
            }),
            method("substring", 2, (self, given) -> {
                int one = given.clamped(0, self.length(), 0);
                int other = given.clamped(1, self.length(), self.length());
                return piece(self, Math.min(one, other), Math.max(one, other), given);
            }),
            method("toLowerCase", 0, (self, given) -> new JsonString(LetterCase.lower(self, given.meter()))),
            method("toUpperCase", 0, (self, given) -> new JsonString(LetterCase.upper(self, given.meter()))),
            method("trim", 0, (self, given) -> trimmed(self, true, true, given)),
            method("trimStart", 0, (self, given) -> trimmed(self, true, false, given)),
            method("trimEnd", 0, (self, given) -> trimmed(self, false, true, given)),
            method("padStart", 2, (self, given) -> padded(self, true, given)),
            method("padEnd", 2, (self, given) -> padded(self, false, given)),
            method("repeat", 1, TextMethods::repeat),
            method("concat", ANY_NUMBER, TextMethods::concat),
            method("split", 2, TextMethods::split),
            method("replace", 2, (self, given) -> Replacement.of(self, given, false)),
            method("replaceAll", 2, (self, given) -> Replacement.of(self, given, true)),
            method("toString", 0, (self, given) -> new JsonString(self)));

    private TextMethods() {}

    private static Map.Entry<String, Method<String>> method(String name, int most, Body<String> body) {
        return entry(name, new Method<>(most, body));
    }

    private static int find(String self, Arguments given) {
        int from = given.clamped(1, self.length(), 0);
        return new Search(given.text(0), given.meter()).next(self, from);
    }

    private static Object startsWith(String self, Arguments given) {
        String start = given.text(0);
        given.meter().scan(start.length());
        return JsonBoolean.of(self.startsWith(start, given.clamped(1, self.length(), 0)));
    }

    private static Object endsWith(String self, Arguments given) {
        String end = given.text(0);
        given.meter().scan(end.length());
        int at = given.clamped(1, self.length(), self.length()) - end.length();
        return JsonBoolean.of(at >= 0 && self.startsWith(end, at));
    }

    private static Object at(String self, Arguments given) {
        int index = given.integer(0, 0);
        return Member.at(new JsonString(self), index < 0 ? index + self.length() : index, given.position());
    }

    private static JsonString piece(String self, int from, int to, Arguments given) {
        given.meter().text(Math.max(0, to - from));
        return WellFormed.string(from >= to ? "" : self.substring(from, to), given.position());
    }

    private static JsonString trimmed(String self, boolean start, boolean end, Arguments given) {
        given.meter().text(self.length());
        return new JsonString(JavaScriptSpace.trim(self, start, end));
    }

    private static JsonString padded(String self, boolean before, Arguments given) {
        int missing = given.integer(0, 0) - self.length();
        String filler = given.isGiven(1) ? given.text(1) : " ";
        if (missing <= 0 || filler.isEmpty()) {
            return new JsonString(self);
        }
        given.meter().text((long) self.length() + missing);
        String padding = filler.repeat(missing / filler.length()) + filler.substring(0, missing % filler.length());
        return WellFormed.string(before ? padding + self : self + padding, given.position());
    }

    private static JsonString repeat(String self, Arguments given) {
        int times = given.integer(0, 0);
        if (times < 0) {
            throw Fault.type("'repeat' needs a count that is not negative.", given.position());
        }
        given.meter().text((long) self.length() * times);
        return new JsonString(self.repeat(times));
    }

    private static JsonString concat(String self, Arguments given) {
        MeteredText text = new MeteredText(given.meter()).append(self);
        for (int i = 0; i < given.count(); i++) {
            text.append(given.text(i));
        }
        return new JsonString(text.toString());
    }

    private static JsonArray split(String self, Arguments given) {
        int most = given.integer(1, Integer.MAX_VALUE);
        if (most < 0) {
            throw Fault.type("'split' needs a limit that is not negative.", given.position());
        }
        List<JsonValue> pieces = new ArrayList<>();
        if (!given.isGiven(0)) {
            return most == 0 ? JsonArray.EMPTY : JsonArray.of(new JsonString(self));
        }
        String separator = given.text(0);
        Search search = new Search(separator, given.meter());
        int from = 0;
        while (pieces.size() < most && (from < self.length() || !separator.isEmpty())) {
            int end = separator.isEmpty() ? from + 1 : search.next(self, from);
            given.meter().step();
            given.meter().bytes(8);
            pieces.add(piece(self, from, end < 0 ? self.length() : end, given));
            if (end < 0) {
                break;
            }
            from = end + separator.length();
        }
        return new JsonArray(pieces);
    }
}
