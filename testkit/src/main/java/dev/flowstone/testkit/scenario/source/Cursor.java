package dev.flowstone.testkit.scenario.source;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value of a document and its place. What is not as it is asked for becomes a fault, and the answer is empty; so reading
 * goes on and finds every fault in one go.
 */
public final class Cursor {
    private static final int SHOWN = 60;

    private final Faults faults;
    private final String pointer;
    private final JsonValue value;

    public Cursor(Faults faults, String pointer, JsonValue value) {
        this.faults = requireNonNull(faults);
        this.pointer = requireNonNull(pointer);
        this.value = requireNonNull(value);
    }

    public JsonValue value() {
        return value;
    }

    public String pointer() {
        return pointer;
    }

    public Faults faults() {
        return faults;
    }

    public int line() {
        return faults.place(pointer).line();
    }

    public void fault(String message) {
        faults.at(pointer, message);
    }

    /** An object's members by name; other names than these are faults. */
    public Members members(Collection<String> known) {
        Members members = anyMembers();
        for (Cursor member : members.all().values()) {
            String name = member.name();
            if (!known.contains(name)) {
                faults.atName(member.pointer, "there is no key '" + shown(name) + "' here" + faults.meant(name, known));
            }
        }
        return members;
    }

    /** An object's members, whatever their names. */
    public Members anyMembers() {
        Map<String, Cursor> members = new LinkedHashMap<>();
        if (value instanceof JsonObject object) {
            object.members().forEach((name, member) -> members.put(name, child(name, member)));
            return new Members(this, members, true);
        }
        expected("an object");
        return new Members(this, members, false);
    }

    public List<Cursor> items() {
        List<Cursor> items = new ArrayList<>();
        if (value instanceof JsonArray array) {
            for (JsonValue item : array.items()) {
                items.add(child(Integer.toString(items.size()), item));
            }
        } else {
            expected("a list");
        }
        return items;
    }

    public Optional<String> text() {
        if (value instanceof JsonString text) {
            return Optional.of(text.value());
        }
        expected("a text");
        return Optional.empty();
    }

    /** A text that is one of these. */
    public Optional<String> word(Collection<String> known) {
        Optional<String> text = text();
        if (text.isPresent() && !known.contains(text.get())) {
            fault("'" + shown(text.get()) + "' is not known here" + faults.meant(text.get(), known));
            return Optional.empty();
        }
        return text;
    }

    /** A whole number from 0 to a billion. */
    public Optional<Integer> count() {
        if (value instanceof JsonNumber number
                && number.isLong()
                && number.longValue() >= 0
                && number.longValue() <= 1_000_000_000) {
            return Optional.of((int) number.longValue());
        }
        expected("a whole number, 0 or more");
        return Optional.empty();
    }

    public Optional<Boolean> flag() {
        if (value instanceof JsonBoolean flag) {
            return Optional.of(flag.value());
        }
        expected("true or false");
        return Optional.empty();
    }

    public Optional<Long> whole() {
        if (value instanceof JsonNumber number && number.isLong()) {
            return Optional.of(number.longValue());
        }
        expected("a whole number");
        return Optional.empty();
    }

    /** {@code PT72H} (ISO 8601) or {@code 72h}; not negative, at most ten thousand years. */
    public Optional<Duration> duration() {
        if (value instanceof JsonString text) {
            Optional<Duration> duration = Durations.parse(text.value());
            if (duration.isPresent()) {
                return duration;
            }
        }
        expected("a duration such as PT90S, 90s, 5m, 72h or 7d, of at most ten thousand years,");
        return Optional.empty();
    }

    /** {@code 2026-01-01T00:00:00Z}, from 1970 to the year 9999. */
    public Optional<Instant> instant() {
        if (value instanceof JsonString text) {
            try {
                Instant instant = Instant.parse(text.value());
                if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(Durations.END_OF_TIME)) {
                    return Optional.of(instant);
                }
            } catch (DateTimeParseException e) {
                // Told below, like every other value that isn't one.
            }
        }
        expected("an instant such as 2026-01-01T00:00:00Z, from 1970 to 9999,");
        return Optional.empty();
    }

    /** The last name or index of its pointer. */
    public String name() {
        return JsonPointer.parse(pointer).tokens().isEmpty()
                ? ""
                : JsonPointer.parse(pointer).tokens().getLast();
    }

    private Cursor child(String name, JsonValue member) {
        return new Cursor(faults, pointer + "/" + JsonPointer.escape(name), member);
    }

    public void expected(String what) {
        String found = switch (value) {
            case JsonObject _ -> "an object";
            case JsonArray _ -> "a list";
            case JsonNull _ -> "nothing";
            case JsonString text -> "'" + shown(text.value()) + "'";
            case JsonNumber _, JsonBoolean _ -> shown(CanonicalJson.exactText(value));
        };
        fault(what + " is expected here, not " + found);
    }

    private static String shown(String text) {
        return text.codePointCount(0, text.length()) <= SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
    }
}
