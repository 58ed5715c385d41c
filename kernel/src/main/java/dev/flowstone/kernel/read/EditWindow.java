package dev.flowstone.kernel.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a subject may be edited while a run is where it is (R16; envelope.md, edit windows). Windows form a lattice:
 * {@link #strictest} allows what both allow, in any order.
 *
 * @param mode what an edit is
 * @param fields the only ones that may be edited, sorted; empty for all. A window without a field is locked
 */
public record EditWindow(Mode mode, Optional<List<String>> fields) {
    /** From the most to the least permissive. */
    public enum Mode {
        /** Edits are allowed; the run goes on. */
        EDITABLE,
        /** Edits are allowed, and what was approved must be approved again. */
        AMEND_ONLY,
        /** Nothing may be edited. */
        LOCKED
    }

    public static final EditWindow OPEN = new EditWindow(Mode.EDITABLE, Optional.empty());
    public static final EditWindow LOCKED = new EditWindow(Mode.LOCKED, Optional.empty());

    public EditWindow {
        requireNonNull(mode);
        fields = fields.map(names -> List.copyOf(new TreeSet<>(names)));
        if (mode == Mode.LOCKED || fields.map(List::isEmpty).orElse(false)) {
            mode = Mode.LOCKED;
            fields = Optional.empty();
        }
    }

    public static EditWindow of(Mode mode) {
        return new EditWindow(mode, Optional.empty());
    }

    /** What both allow. */
    public EditWindow strictest(EditWindow other) {
        Mode stricter = mode.compareTo(other.mode) >= 0 ? mode : other.mode;
        if (fields.isEmpty() || other.fields.isEmpty()) {
            return new EditWindow(stricter, fields.or(other::fields));
        }
        Set<String> both = new TreeSet<>(fields.get());
        both.retainAll(other.fields.get());
        return new EditWindow(stricter, Optional.of(List.copyOf(both)));
    }

    /** Whether an edit of exactly these fields is allowed; one that names none changes everything. */
    public boolean allows(Set<String> edited) {
        if (mode == Mode.LOCKED) {
            return false;
        }
        return fields.isEmpty() || (!edited.isEmpty() && fields.get().containsAll(edited));
    }

    /** {@code {"mode": "AMEND_ONLY", "fields": ["note"]}}. */
    public JsonObject toJson() {
        JsonObject.Builder out = JsonObject.builder().put("mode", mode.name());
        fields.ifPresent(names -> out.put(
                "fields",
                new JsonArray(names.stream().<JsonValue>map(JsonString::new).toList())));
        return out.build();
    }

    /** Reads {@link #toJson}; empty if it isn't one. */
    public static Optional<EditWindow> read(JsonValue value) {
        if (!(value instanceof JsonObject window && window.get("mode") instanceof JsonString name)) {
            return Optional.empty();
        }
        Optional<Mode> mode = mode(name.value());
        JsonValue declared = window.get("fields");
        if (mode.isEmpty() || declared == null) {
            return mode.map(EditWindow::of);
        }
        if (!(declared instanceof JsonArray list)) {
            return Optional.empty();
        }
        List<String> fields = new ArrayList<>();
        for (JsonValue item : list.items()) {
            if (!(item instanceof JsonString field)) {
                return Optional.empty();
            }
            fields.add(field.value());
        }
        return Optional.of(new EditWindow(mode.get(), Optional.of(fields)));
    }

    private static Optional<Mode> mode(String name) {
        for (Mode mode : Mode.values()) {
            if (mode.name().equals(name)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}
