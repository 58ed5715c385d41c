package dev.flowstone.kernel.json;

/**
 * Refused JSON text: what is wrong and where. Line and column (in characters) count from 1, the offset in bytes from 0.
 * The message holds place and reason.
 */
public final class JsonSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final int line;
    private final int column;
    private final int offset;

    public JsonSyntaxException(String reason, int line, int column, int offset) {
        super("line " + line + ", column " + column + ": " + reason);
        this.reason = reason;
        this.line = line;
        this.column = column;
        this.offset = offset;
    }

    /** One sentence, without the place. */
    public String reason() {
        return reason;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    public int offset() {
        return offset;
    }
}
