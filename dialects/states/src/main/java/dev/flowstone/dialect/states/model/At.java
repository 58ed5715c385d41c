package dev.flowstone.dialect.states.model;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An object of the source that has passed the shape check, and where it stands. A value of another type counts as absent. */
public record At(JsonObject json, String pointer) {
    public At {
        requireNonNull(json);
        requireNonNull(pointer);
    }

    public boolean has(String name) {
        return json.get(name) != null;
    }

    public String pointer(String name) {
        return has(name) ? pointer + "/" + JsonPointer.escape(name) : pointer;
    }

    public Optional<JsonValue> value(String name) {
        return json.find(name);
    }

    public Optional<String> text(String name) {
        return json.get(name) instanceof JsonString text ? Optional.of(text.value()) : Optional.empty();
    }

    public Optional<At> object(String name) {
        return json.get(name) instanceof JsonObject object
                ? Optional.of(new At(object, pointer(name)))
                : Optional.empty();
    }

    public boolean flag(String name, boolean otherwise) {
        return json.get(name) instanceof JsonBoolean flag ? flag.value() : otherwise;
    }

    public Optional<Integer> whole(String name) {
        return json.get(name) instanceof JsonNumber number
                ? Optional.of(number.decimalValue().intValue())
                : Optional.empty();
    }

    public Optional<Double> number(String name) {
        return json.get(name) instanceof JsonNumber number ? Optional.of(number.doubleValue()) : Optional.empty();
    }

    /** The objects of a list; a list's other members are left out. */
    public List<At> list(String name) {
        List<At> list = new ArrayList<>();
        if (json.get(name) instanceof JsonArray array) {
            for (int i = 0; i < array.items().size(); i++) {
                if (array.items().get(i) instanceof JsonObject object) {
                    list.add(new At(object, pointer(name) + "/" + i));
                }
            }
        }
        return list;
    }

    /** The texts of a list. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        if (json.get(name) instanceof JsonArray array) {
            array.items().forEach(item -> {
                if (item instanceof JsonString text) {
                    texts.add(text.value());
                }
            });
        }
        return texts;
    }

    /** The objects in an object, by name, sorted: nothing depends on the order in which they were written. */
    public Map<String, At> named(String name) {
        Map<String, At> named = new TreeMap<>();
        object(name)
                .ifPresent(at -> at.json().members().forEach((member, value) -> {
                    if (value instanceof JsonObject object) {
                        named.put(member, new At(object, at.pointer(member)));
                    }
                }));
        return named;
    }
}
