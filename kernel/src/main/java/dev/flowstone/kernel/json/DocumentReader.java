package dev.flowstone.kernel.json;

import org.jspecify.annotations.Nullable;

/** Reads one document. Containers wait on a list of their own, so no nesting can overflow the thread's stack. */
final class DocumentReader {
    private final JsonInput in;
    private final JsonLimits limits;
    private final @Nullable PlaceLog places;

    private @Nullable OpenContainer top;
    private int depth;

    DocumentReader(byte[] utf8, JsonLimits limits, @Nullable PlaceLog places) {
        this.in = new JsonInput(utf8);
        this.limits = limits;
        this.places = places;
    }

    JsonValue read() throws JsonSyntaxException {
        Hints.refuseOtherEncodings(in, limits);
        in.skipSpace();
        JsonValue document = value();
        in.skipSpace();
        if (in.at < in.bytes.length) {
            throw in.expected("the end of the text after the value");
        }
        return document;
    }

    private JsonValue value() throws JsonSyntaxException {
        JsonValue read = begin();
        while (true) {
            OpenContainer container = top;
            if (read == null) {
                read = begin();
            } else if (container == null) {
                return read;
            } else {
                container.add(in, read);
                in.skipSpace();
                read = container.more(in) ? begin() : close(container);
            }
        }
    }

    /** Reads a scalar or an empty container; of any other container only the beginning, and answers null. */
    private @Nullable JsonValue begin() throws JsonSyntaxException {
        if (places != null) {
            places.begin(top == null ? -1 : top.nameOffset(), in.at);
        }
        int next = in.peek();
        return switch (next) {
            case '"' -> new JsonString(StringScanner.read(in));
            case '{' -> open(new OpenObject(top), '}', JsonObject.EMPTY);
            case '[' -> open(new OpenArray(top), ']', JsonArray.EMPTY);
            case 't' -> literal("true", JsonBoolean.TRUE);
            case 'f' -> literal("false", JsonBoolean.FALSE);
            case 'n' -> literal("null", JsonNull.NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> NumberScanner.read(in, limits.numberDigits());
            default -> throw Hints.noValue(in);
        };
    }

    private @Nullable JsonValue open(OpenContainer container, char closer, JsonValue empty) throws JsonSyntaxException {
        if (depth == limits.depth()) {
            throw in.fault(in.at, "arrays and objects are nested at most " + limits.depth() + " deep here");
        }
        in.at++;
        in.skipSpace();
        if (in.peek() == closer) {
            in.at++;
            return empty;
        }
        if (places != null) {
            container.ordinal = places.last();
        }
        container.first(in);
        top = container;
        depth++;
        return null;
    }

    private JsonValue close(OpenContainer container) {
        if (places != null) {
            places.end(container.ordinal);
        }
        top = container.parent;
        depth--;
        return container.value();
    }

    private JsonValue literal(String word, JsonValue value) throws JsonSyntaxException {
        int end = in.at + word.length();
        boolean matches = end <= in.bytes.length;
        for (int i = 0; matches && i < word.length(); i++) {
            matches = in.bytes[in.at + i] == word.charAt(i);
        }
        if (!matches) {
            throw Hints.noValue(in);
        }
        in.at = end;
        return value;
    }
}
