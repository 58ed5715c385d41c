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

/** What can be called on an array, apart from the methods that take a function: those are {@link Iteration}. */
final class ArrayMethods {
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    static final Map<String, Method<JsonArray>> ALL = Map.ofEntries(
            method("includes", 2, ArrayMethods::includes),
            method("indexOf", 2, ArrayMethods::indexOf),
            method("join", 1, (self, given) -> {
                String separator = given.isGiven(0) ? given.text(0) : ",";
                return new JsonString(Coercion.join(self.items(), separator, given.meter(), given.position()));
            }),
            method("slice", 2, (self, given) -> {
                int size = self.items().size();
                int from = given.relative(0, size, 0);
                int to = Math.max(from, given.relative(1, size, size));
                given.meter().elements(to - from);
                return new JsonArray(self.items().subList(from, to));
            }),
            method("concat", ANY_NUMBER, ArrayMethods::concat),
            method("at", 1, (self, given) -> {
                int index = given.integer(0, 0);
                return Member.at(self, index < 0 ? index + self.items().size() : index, given.position());
            }));

    private ArrayMethods() {}

    private static Map.Entry<String, Method<JsonArray>> method(String name, int most, Body<JsonArray> body) {
        return entry(name, new Method<>(most, body));
    }

    private static Object includes(JsonArray self, Arguments given) {
        Object sought = given.value(0);
        List<JsonValue> items = self.items();
        for (int i = given.relative(1, items.size(), 0); i < items.size(); i++) {
            given.meter().step();
            if (Equality.sameValue(items.get(i), sought, given.meter())) {
                return JsonBoolean.TRUE;
            }
        }
        return JsonBoolean.FALSE;
    }

    private static Object indexOf(JsonArray self, Arguments given) {
        Object sought = given.value(0);
        List<JsonValue> items = self.items();
        for (int i = given.relative(1, items.size(), 0); i < items.size(); i++) {
            given.meter().step();
            if (Equality.strict(items.get(i), sought, given.meter())) {
                return JsonNumber.of(i);
            }
        }
        return JsonNumber.of(-1);
    }

    private static Object concat(JsonArray self, Arguments given) {
        long size = self.items().size();
        for (int i = 0; i < given.count(); i++) {
            size += given.value(i) instanceof JsonArray more ? more.items().size() : 1;
        }
        given.meter().elements(size);
        List<JsonValue> items = new ArrayList<>(self.items());
        for (int i = 0; i < given.count(); i++) {
            if (given.value(i) instanceof JsonArray more) {
                items.addAll(more.items());
            } else {
                items.add(given.element(i));
            }
        }
        return new JsonArray(items);
    }
}
