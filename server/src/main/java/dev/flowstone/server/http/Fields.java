package dev.flowstone.server.http;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads an object of a request's body member by member; what doesn't fit is refused with its pointer, line and column. */
public final class Fields {
    private final JsonParser.Located document;
    private final String pointer;
    private final JsonObject object;

    Fields(JsonParser.Located document, String pointer, JsonObject object) {
        this.document = document;
        this.pointer = pointer;
        this.object = object;
    }

    /** Refuses members of other names. */
    public Fields only(Set<String> names) throws ProblemException {
        for (String name : object.members().keySet()) {
            if (!names.contains(name)) {
                throw refused(
                        pointer(name),
                        "unknown member '" + Cut.text(name) + "'",
                        "leave it out; known are " + String.join(", ", new TreeSet<>(names)));
            }
        }
        return this;
    }

    /** Any value. */
    public Optional<JsonValue> value(String name) {
        return object.find(name);
    }

    /** A name: text of bounded length without control characters; JSON null counts as left out. */
    public Optional<String> text(String name, int most) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonString(String text) && isName(text, most)) {
            return Optional.of(text);
        }
        throw refused(
                pointer(name),
                "'" + name + "' is text of 1 to " + most + " characters, none of them a control character",
                "send such a text");
    }

    /** The same, demanded. */
    public String requiredText(String name, int most) throws ProblemException {
        return text(name, most).orElseThrow(() -> missing(name));
    }

    /** What a person wrote: any text of bounded length that isn't blank; JSON null counts as left out. */
    public Optional<String> prose(String name, int most) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonString(String text) && !text.isBlank() && text.length() <= most) {
            return Optional.of(text);
        }
        throw refused(pointer(name), "'" + name + "' is text of 1 to " + most + " characters", "send such a text");
    }

    /** The same, demanded. */
    public String requiredProse(String name, int most) throws ProblemException {
        return prose(name, most).orElseThrow(() -> missing(name));
    }

    /** The same of what is kept in a column, which holds no NUL. */
    public Optional<String> note(String name, int most) throws ProblemException {
        Optional<String> note = prose(name, most);
        if (note.filter(it -> it.indexOf(0) >= 0).isPresent()) {
            throw wrong(name, "'" + name + "' holds a NUL (U+0000), which is kept nowhere", "take it out");
        }
        return note;
    }

    /** True or false; JSON null counts as left out. */
    public boolean flag(String name, boolean otherwise) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return otherwise;
        }
        if (value instanceof JsonBoolean flag) {
            return flag.value();
        }
        throw refused(pointer(name), "'" + name + "' is true or false", "send one of them");
    }

    /** What a text of the body means to somebody who throws {@link IllegalArgumentException} if it means nothing. */
    public <T> Optional<T> meaning(String name, int most, Function<String, T> reader) throws ProblemException {
        Optional<String> text = text(name, most);
        return text.isEmpty() ? Optional.empty() : Optional.of(read(pointer(name), text.get(), reader));
    }

    /** A list of such texts, of 1 to so many; JSON null counts as left out. */
    public <T> Optional<List<T>> meanings(String name, int items, int most, Function<String, T> reader)
            throws ProblemException {
        return meanings(name, 1, items, most, reader);
    }

    /** A list of such texts, of so many at most; none if it is left out. */
    public <T> List<T> anyMeanings(String name, int items, int most, Function<String, T> reader)
            throws ProblemException {
        return meanings(name, 0, items, most, reader).orElse(List.of());
    }

    private <T> Optional<List<T>> meanings(String name, int least, int items, int most, Function<String, T> reader)
            throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (!(value instanceof JsonArray(List<JsonValue> all)) || all.size() < least || all.size() > items) {
            throw refused(
                    pointer(name),
                    "'" + name + "' is a list of " + least + " to " + items + " texts",
                    "send such a list");
        }
        List<T> meanings = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (!(all.get(i) instanceof JsonString(String text)) || !isName(text, most)) {
                throw refused(pointer(name) + "/" + i, "this is no text of 1 to " + most + " characters", "send one");
            }
            meanings.add(read(pointer(name) + "/" + i, text, reader));
        }
        return Optional.of(meanings);
    }

    private <T> T read(String at, String text, Function<String, T> reader) throws ProblemException {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw refused(at, Cut.text(String.valueOf(e.getMessage())), "send what it takes");
        }
    }

    /** A member that must be there isn't. */
    public ProblemException missing(String name) {
        return refused(pointer, "the member '" + name + "' is missing", "send it");
    }

    /** A member isn't what it should be. */
    public ProblemException wrong(String name, String message, String remedy) {
        return refused(pointer(name), message, remedy);
    }

    /** A member is more than is taken. */
    public ProblemException exceeded(String name, String message, String remedy) {
        return refused(ProblemCode.LIMIT_EXCEEDED, pointer(name), message, remedy);
    }

    /** Names of things end up in columns, logs and terminals. */
    private static boolean isName(String text, int most) {
        return !text.isBlank() && text.length() <= most && text.chars().noneMatch(Character::isISOControl);
    }

    /** A whole number between bounds, both inclusive; JSON null counts as left out. */
    public Optional<Integer> number(String name, int least, int most) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonNumber number
                && number.decimalValue().compareTo(BigDecimal.valueOf(least)) >= 0
                && number.decimalValue().compareTo(BigDecimal.valueOf(most)) <= 0
                && number.decimalValue().stripTrailingZeros().scale() <= 0) {
            return Optional.of(number.decimalValue().intValueExact());
        }
        throw refused(
                pointer(name), "'" + name + "' is a whole number from " + least + " to " + most, "send such a number");
    }

    /** A whole number of 0 or more; JSON null counts as left out. */
    public Optional<Long> count(String name) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonNumber number && number.isLong() && number.longValue() >= 0) {
            return Optional.of(number.longValue());
        }
        throw refused(pointer(name), "'" + name + "' is a whole number of 0 or more", "send such a number");
    }

    /** An object; JSON null counts as left out. */
    public Optional<Fields> object(String name) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonObject inner) {
            return Optional.of(new Fields(document, pointer(name), inner));
        }
        throw refused(pointer(name), "'" + name + "' is an object", "send an object");
    }

    /** A list of 1 to so many objects; JSON null counts as left out. */
    public Optional<List<Fields>> objects(String name, int most) throws ProblemException {
        JsonValue value = object.get(name);
        if (value == null || value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (!(value instanceof JsonArray(List<JsonValue> all)) || all.isEmpty() || all.size() > most) {
            throw refused(pointer(name), "'" + name + "' is a list of 1 to " + most + " objects", "send such a list");
        }
        List<Fields> objects = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (!(all.get(i) instanceof JsonObject inner)) {
                throw refused(pointer(name) + "/" + i, "this is no object", "send one");
            }
            objects.add(new Fields(document, pointer(name) + "/" + i, inner));
        }
        return Optional.of(objects);
    }

    public JsonObject json() {
        return object;
    }

    /** Where a value of the body begins. */
    public JsonParser.Place place(String at) {
        return document.place(at);
    }

    private String pointer(String name) {
        return pointer + "/" + JsonPointer.escape(name);
    }

    private ProblemException refused(String at, String message, String remedy) {
        return refused(ProblemCode.INVALID_REQUEST, at, message, remedy);
    }

    private ProblemException refused(ProblemCode code, String at, String message, String remedy) {
        JsonParser.Place place = document.place(at);
        Fault fault = new Fault("MEMBER", at, place.line(), place.column(), message, remedy);
        return Problem.of(code, message + " (" + at + ")", List.of(fault)).exception();
    }
}
