package dev.flowstone.kernel.json;

/** Refused JSON text: what is wrong and where. Line and column count from 1, the offset in bytes from 0. */
public final class JsonSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final int offset;

    public JsonSyntaxException(String reason, int line, int column, int offset) {
        super(reason);
        this.line = line;
        this.column = column;
        this.offset = offset;
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
