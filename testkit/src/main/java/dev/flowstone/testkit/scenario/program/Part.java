package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Durations;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An object of the short form, read member by member. What is missing or can't be read gets a value nevertheless, so that
 * reading goes on; in the second case there is a fault, and the program is not built.
 */
final class Part {
    private static final String UNREADABLE = "?";

    private final Cursor at;
    private final Members members;

    Part(Cursor at, List<String> known) {
        this.at = at;
        this.members = at.members(known);
    }

    Cursor at() {
        return at;
    }

    Optional<Cursor> find(String name) {
        return members.find(name);
    }

    boolean has(String name) {
        return members.find(name).isPresent();
    }

    /** A text that must be there. */
    String text(String name) {
        return members.need(name).flatMap(Cursor::text).orElse(UNREADABLE);
    }

    Optional<String> maybeText(String name) {
        return members.find(name).flatMap(Cursor::text);
    }

    JsonValue value(String name, JsonValue otherwise) {
        return members.find(name).map(Cursor::value).orElse(otherwise);
    }

    /** A value that must be there. */
    JsonValue value(String name) {
        return members.need(name).map(Cursor::value).orElse(new JsonString(UNREADABLE));
    }

    Duration duration(String name, Duration otherwise) {
        return members.find(name).flatMap(Cursor::duration).orElse(otherwise);
    }

    /** A template of a duration, or one as files write them. */
    Optional<JsonValue> wait(String name) {
        return members.find(name).map(Cursor::value).map(Part::wait);
    }

    static JsonValue wait(JsonValue value) {
        return value instanceof JsonString text
                ? Durations.parse(text.value())
                        .<JsonValue>map(it -> new JsonString(it.toString()))
                        .orElse(value)
                : value;
    }

    int count(String name, int otherwise) {
        return members.find(name).flatMap(Cursor::count).orElse(otherwise);
    }

    boolean flag(String name, boolean otherwise) {
        return members.find(name).flatMap(Cursor::flag).orElse(otherwise);
    }

    Optional<Outcome> outcome(String name) {
        return maybeText(name).map(Outcome::new);
    }

    List<Outcome> outcomes(String name) {
        return find(name).map(Part::texts).orElse(List.of()).stream()
                .map(Outcome::new)
                .toList();
    }

    Map<String, JsonValue> values(String name) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        find(name).ifPresent(it -> it.anyMembers().all().forEach((key, value) -> values.put(key, value.value())));
        return values;
    }

    /** One of an enum's names, in lower case. */
    <E extends Enum<E>> E word(String name, Class<E> kind, E otherwise) {
        List<String> words = Arrays.stream(kind.getEnumConstants())
                .map(it -> it.name().toLowerCase(Locale.ROOT))
                .toList();
        return members.find(name)
                .flatMap(it -> it.word(words))
                .map(word -> Enum.valueOf(kind, word.toUpperCase(Locale.ROOT)))
                .orElse(otherwise);
    }

    /** A text, or a list of them. */
    static List<String> texts(Cursor value) {
        List<String> texts = new ArrayList<>();
        if (value.value() instanceof JsonArray) {
            value.items().forEach(item -> item.text().ifPresent(texts::add));
        } else {
            value.text().ifPresent(texts::add);
        }
        return texts;
    }
}
