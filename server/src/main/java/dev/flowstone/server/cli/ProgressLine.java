package dev.flowstone.server.cli;

/** What a long command is doing, on standard error: one line that moves on where a person looks, else nothing. */
final class ProgressLine implements AutoCloseable {
    private final Terminal terminal;
    private int width;

    ProgressLine(Terminal terminal) {
        this.terminal = terminal;
    }

    void show(String text) {
        if (terminal.colours()) {
            terminal.err().print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            terminal.err().flush();
            width = text.length();
        }
    }

    void clear() {
        if (width > 0) {
            show("");
            terminal.err().print("\r");
            terminal.err().flush();
        }
    }

    @Override
    public void close() {
        clear();
    }
}
