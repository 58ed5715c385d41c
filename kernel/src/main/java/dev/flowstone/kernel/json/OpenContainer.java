package dev.flowstone.kernel.json;

import org.jspecify.annotations.Nullable;

/** An array or object whose end hasn't been read yet, within the one that it stands in. */
abstract sealed class OpenContainer permits OpenArray, OpenObject {
    final @Nullable OpenContainer parent;

    /** Which value of the document this is, in reading order; set only when places are remembered. */
    int ordinal;

    OpenContainer(@Nullable OpenContainer parent) {
        this.parent = parent;
    }

    /** Reads up to where the first element's value begins; there is one. */
    abstract void first(JsonInput in) throws JsonSyntaxException;

    /** Takes the element that has just been read. */
    abstract void add(JsonInput in, JsonValue value) throws JsonSyntaxException;

    /** Behind an element: reads up to where the next one's value begins and answers true, or reads the end: false. */
    abstract boolean more(JsonInput in) throws JsonSyntaxException;

    /** Where the name of the element being read begins, or -1 in an array. */
    abstract int nameOffset();

    abstract JsonValue value();

    /** Reads the comma before another element and answers true, or the closing bracket: false. */
    static boolean comma(JsonInput in, char closer, String expected) throws JsonSyntaxException {
        int next = in.peek();
        if (next == closer) {
            in.at++;
            return false;
        }
        if (next != ',') {
            throw in.expected(expected);
        }
        in.at++;
        in.skipSpace();
        if (in.peek() == closer) {
            throw in.fault(in.at, "found '" + closer + "' after ',': JSON has no trailing comma");
        }
        return true;
    }
}
