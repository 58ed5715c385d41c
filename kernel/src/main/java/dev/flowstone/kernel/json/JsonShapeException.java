package dev.flowstone.kernel.json;

/** A JSON value isn't shaped as its reader needs it: which value, and why. Raised by {@link JsonCursor}. */
public final class JsonShapeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String pointer;
    private final String reason;

    public JsonShapeException(String pointer, String reason) {
        super((pointer.isEmpty() ? "the document" : pointer) + ": " + reason);
        this.pointer = pointer;
        this.reason = reason;
    }

    /** The written JSON pointer of the value; empty for the whole document. */
    public String pointer() {
        return pointer;
    }

    /** One sentence, without the pointer. */
    public String reason() {
        return reason;
    }
}
