package dev.flowstone.server.http;

/** What a caller must be allowed to do for a route to serve it. */
public enum Scope {
    /** Everybody: health and the index, which say nothing about any tenant. */
    PUBLIC("public"),
    WORKFLOWS_READ("workflows:read"),
    WORKFLOWS_WRITE("workflows:write"),
    EXECUTIONS_READ("executions:read"),
    EXECUTIONS_WRITE("executions:write");

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
