package dev.flowstone.dialect.states.format;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One kind of object in the format.
 *
 * @param title how messages call it
 * @param oneOf of these properties an object has at most one; exactly one if {@code demanded}
 */
record Kind(String name, String title, Map<String, Property> properties, List<String> oneOf, boolean demanded) {
    Kind {
        requireNonNull(name);
        requireNonNull(title);
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        oneOf = List.copyOf(oneOf);
    }

    List<String> required() {
        List<String> required = new ArrayList<>();
        properties.forEach((property, it) -> {
            if (it.required()) {
                required.add(property);
            }
        });
        return required;
    }

    static Builder of(String name, String title) {
        return new Builder(name, title);
    }

    /** A property of a kind. */
    record Property(Shape shape, boolean required, String description) {
        Property {
            requireNonNull(shape);
            requireNonNull(description);
        }
    }

    /** Builds one, property by property. */
    static final class Builder {
        private final String name;
        private final String title;
        private final Map<String, Property> properties = new LinkedHashMap<>();
        private List<String> oneOf = List.of();
        private boolean demanded;

        private Builder(String name, String title) {
            this.name = name;
            this.title = title;
        }

        Builder must(String property, Shape shape, String description) {
            properties.put(property, new Property(shape, true, description));
            return this;
        }

        Builder may(String property, Shape shape, String description) {
            properties.put(property, new Property(shape, false, description));
            return this;
        }

        Builder exactlyOne(String... names) {
            oneOf = List.of(names);
            demanded = true;
            return this;
        }

        Builder atMostOne(List<String> names) {
            oneOf = names;
            return this;
        }

        Kind build() {
            return new Kind(name, title, properties, oneOf, demanded);
        }
    }
}
