package dev.flowstone.testkit.scenario.source;

/** A text that is no YAML or JSON, or more of it than is taken. */
public final class SourceException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    SourceException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }
}
