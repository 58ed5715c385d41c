package dev.flowstone.server.http;

/** What a caller must be allowed to do for a route to serve it. */
public enum Scope {
    /** Everybody: health and the index, which say nothing about any tenant. */
    PUBLIC("public"),
    WORKFLOWS_READ("workflows:read"),
    WORKFLOWS_WRITE("workflows:write"),
    EXECUTIONS_READ("executions:read"),
    EXECUTIONS_WRITE("executions:write"),
    /** To change what runs do: their variables, their course. */
    EXECUTIONS_CONTROL("executions:control"),
    /** To see what is set for scopes: the tenant's and the system's. */
    CONTROL_READ("control:read"),
    /** To hold all runs of a workflow or of the tenant, and let them go. */
    CONTROL_TENANT("control:tenant"),
    /** To hold all runs of all tenants, and let them go: for who runs the installation. */
    CONTROL_SYSTEM("control:system"),
    TASKS_READ("tasks:read"),
    /** To act on what one is asked oneself. */
    TASKS_WRITE("tasks:write"),
    /** To act in the place of others: reassign, resolve, override, decide on somebody's behalf. */
    TASKS_MANAGE("tasks:manage"),
    /** To answer for tasks as a worker outside the engine. */
    TASKS_WORK("tasks:work"),
    SIGNALS_WRITE("signals:write"),
    EVENTS_READ("events:read"),
    POLICIES_READ("policies:read"),
    /** To change what is allowed from the next decision on. */
    POLICIES_WRITE("policies:write"),
    /** To read what is counted of all tenants: for who runs the installation. */
    METRICS_READ("metrics:read");

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
