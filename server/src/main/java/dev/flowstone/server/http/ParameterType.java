package dev.flowstone.server.http;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a parameter takes: said in the API's document and checked at the border, from one declaration. */
public sealed interface ParameterType {
    /** As JSON Schema. */
    JsonObject schema();

    /** What it takes, if this isn't it: the rest of a sentence that begins with the parameter's name. */
    Optional<String> refuses(String value);

    /** Any text of so many characters at most; what it means only the route knows. */
    record Text(int most) implements ParameterType {
        @Override
        public JsonObject schema() {
            return JsonObject.builder()
                    .put("type", "string")
                    .put("maxLength", most)
                    .build();
        }

        @Override
        public Optional<String> refuses(String value) {
            if (value.indexOf('\0') >= 0) {
                return Optional.of("takes text without a NUL, which nothing here has in its name");
            }
            return value.length() <= most ? Optional.empty() : Optional.of("takes at most " + most + " characters");
        }
    }

    /** Prose of 1 to so many characters. */
    record Prose(int most) implements ParameterType {
        @Override
        public JsonObject schema() {
            return JsonObject.builder()
                    .put("type", "string")
                    .put("minLength", 1)
                    .put("maxLength", most)
                    .build();
        }

        @Override
        public Optional<String> refuses(String value) {
            return !value.isBlank() && value.length() <= most
                    ? Optional.empty()
                    : Optional.of("takes text of 1 to " + most + " characters");
        }
    }

    /** A whole number between bounds, both inclusive, or one of some words. */
    record Whole(int least, int most, List<String> words) implements ParameterType {
        public Whole {
            words = List.copyOf(words);
        }

        @Override
        public JsonObject schema() {
            JsonObject number = JsonObject.builder()
                    .put("type", "integer")
                    .put("minimum", least)
                    .put("maximum", most)
                    .build();
            return words.isEmpty()
                    ? number
                    : JsonObject.builder()
                            .put("oneOf", new JsonArray(List.of(number, new Choice(words).schema())))
                            .build();
        }

        @Override
        public Optional<String> refuses(String value) {
            if (words.contains(value)
                    || (value.matches("[0-9]{1,9}")
                            && Integer.parseInt(value) >= least
                            && Integer.parseInt(value) <= most)) {
                return Optional.empty();
            }
            return Optional.of("takes " + (words.isEmpty() ? "" : String.join(", ", words) + " or ")
                    + "a whole number from " + least + " to " + most + ", not '" + Cut.text(value) + "'");
        }
    }

    /** True or false. */
    record Flag() implements ParameterType {
        @Override
        public JsonObject schema() {
            return JsonObject.builder().put("type", "boolean").build();
        }

        @Override
        public Optional<String> refuses(String value) {
            return value.equals("true") || value.equals("false")
                    ? Optional.empty()
                    : Optional.of("takes true or false, not '" + Cut.text(value) + "'");
        }
    }

    /** A point in time, as RFC 3339 writes it. */
    record Time() implements ParameterType {
        @Override
        public JsonObject schema() {
            return JsonObject.builder()
                    .put("type", "string")
                    .put("format", "date-time")
                    .build();
        }

        @Override
        public Optional<String> refuses(String value) {
            try {
                Query.instant(value);
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.of(String.valueOf(e.getMessage()).replaceFirst("^it ", ""));
            }
        }
    }

    /** One of some words. */
    record Choice(List<String> words) implements ParameterType {
        public Choice {
            words = List.copyOf(words);
        }

        @Override
        public JsonObject schema() {
            return JsonObject.builder()
                    .put("type", "string")
                    .put("enum", texts(words))
                    .build();
        }

        @Override
        public Optional<String> refuses(String value) {
            return words.contains(value)
                    ? Optional.empty()
                    : Optional.of("takes " + String.join(" or ", words) + ", not '" + Cut.text(value) + "'");
        }
    }

    /** Several of some words, with commas between them. */
    record Words(List<String> words) implements ParameterType {
        private static final int MOST = 50;

        public Words {
            words = List.copyOf(words);
        }

        /** Those that a value names, in its order. */
        static List<String> read(String value) {
            return Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        }

        @Override
        public JsonObject schema() {
            return JsonObject.builder()
                    .put("type", "array")
                    .put("items", new Choice(words).schema())
                    .put("maxItems", MOST)
                    .build();
        }

        @Override
        public Optional<String> refuses(String value) {
            List<String> named = read(value);
            if (named.size() > MOST) {
                return Optional.of("takes at most " + MOST + " of " + String.join(", ", words));
            }
            return named.stream()
                    .filter(word -> !words.contains(word))
                    .findFirst()
                    .map(word -> "takes " + String.join(", ", words) + ", with commas between them, not '"
                            + Cut.text(word) + "'");
        }
    }

    /** Texts as a list. */
    private static JsonArray texts(List<String> texts) {
        return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
    }
}
