package dev.flowstone.kernel.json;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one document. Containers wait on a list of their own, so no nesting can overflow the thread's stack. */
final class CanonicalWriter {
    private final boolean strict;
    private final JsonOutput out = new JsonOutput();
    private @Nullable Unfinished top;

    CanonicalWriter(boolean strict) {
        this.strict = strict;
    }

    byte[] write(JsonValue document) {
        begin(document);
        for (Unfinished container = top; container != null; container = top) {
            if (container.hasNext()) {
                // Only behind an opening bracket is there no comma, and no value ends in one: strings end in quotes.
                if (out.last() != '[' && out.last() != '{') {
                    out.put(',');
                }
                begin(container.next(out));
            } else {
                out.put(container.closer());
                top = container.parent();
            }
        }
        return out.toByteArray();
    }

    /** Writes a scalar; of a container the opening bracket. */
    private void begin(JsonValue value) {
        switch (value) {
            case JsonString string -> out.putString(string.value());
            case JsonNumber number -> number(number);
            case JsonBoolean bool -> out.putAscii(bool.value() ? "true" : "false");
            case JsonNull ignored -> out.putAscii("null");
            case JsonArray array -> {
                out.put('[');
                top = new Items(top, array.items().iterator());
            }
            case JsonObject object -> {
                out.put('{');
                top = new Members(top, sorted(object.members()));
            }
        }
    }

    private void number(JsonNumber number) {
        if (!strict) {
            NumberForm.write(number, out);
            return;
        }
        double nearest = number.doubleValue();
        if (Double.isInfinite(nearest)) {
            throw new NumberOutOfRangeException(number);
        }
        NumberForm.write(JsonNumber.of(nearest), out);
    }

    /** The members by name, in the order of UTF-16 code units, which is that of {@link String#compareTo}. */
    private static Iterator<Map.Entry<String, JsonValue>> sorted(Map<String, JsonValue> members) {
        String previous = null;
        for (String name : members.keySet()) {
            if (previous != null && previous.compareTo(name) > 0) {
                return sort(members);
            }
            previous = name;
        }
        return members.entrySet().iterator();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Iterator<Map.Entry<String, JsonValue>> sort(Map<String, JsonValue> members) {
        Map.Entry<String, JsonValue>[] entries = members.entrySet().toArray(new Map.Entry[0]);
        Arrays.sort(entries, Map.Entry.comparingByKey());
        return Arrays.asList(entries).iterator();
    }

    /** A container of which a part is written. */
    private sealed interface Unfinished {
        @Nullable
        Unfinished parent();

        boolean hasNext();

        /** The next value; in an object its name has been written. */
        JsonValue next(JsonOutput out);

        char closer();
    }

    private record Items(@Nullable Unfinished parent, Iterator<JsonValue> rest) implements Unfinished {
        @Override
        public boolean hasNext() {
            return rest.hasNext();
        }

        @Override
        public JsonValue next(JsonOutput out) {
            return rest.next();
        }

        @Override
        public char closer() {
            return ']';
        }
    }

    private record Members(@Nullable Unfinished parent, Iterator<Map.Entry<String, JsonValue>> rest)
            implements Unfinished {
        @Override
        public boolean hasNext() {
            return rest.hasNext();
        }

        @Override
        public JsonValue next(JsonOutput out) {
            Map.Entry<String, JsonValue> member = rest.next();
            out.putString(member.getKey());
            out.put(':');
            return member.getValue();
        }

        @Override
        public char closer() {
            return '}';
        }
    }
}
