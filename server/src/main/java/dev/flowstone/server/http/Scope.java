package dev.flowstone.server.http;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What a caller must be allowed to do for a route to serve it. */
public enum Scope {
    /** Everybody: health and the index, which say nothing about any tenant. */
    PUBLIC("public"),
    WORKFLOWS_READ("workflows:read"),
    /** To create, change, publish, archive and delete workflows. */
    WORKFLOWS_MANAGE("workflows:manage"),
    WORKFLOWS_EXECUTE("workflows:execute"),
    /** To see templates, and render documents. */
    TEMPLATES_READ("templates:read"),
    /** To write them. */
    TEMPLATES_MANAGE("templates:manage"),
    EXECUTIONS_READ("executions:read"),
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
    /** To see what leaves: messages with their content, and what became of each attempt to deliver them. */
    OUTBOX_READ("outbox:read"),
    /** To put dead letters back, or remove them. */
    OUTBOX_MANAGE("outbox:manage"),
    /** To see what could not be taken up, with its payload; what the outbox has of it, too. */
    DEAD_LETTERS_READ("dead-letters:read"),
    /** To have it tried again, or remove it. */
    DEAD_LETTERS_MANAGE("dead-letters:manage"),
    EVENTS_READ("events:read"),
    /** To see who gets which events, and how far each has come. */
    SUBSCRIPTIONS_READ("subscriptions:read"),
    /** To have the tenant's events sent somewhere. */
    SUBSCRIPTIONS_MANAGE("subscriptions:manage"),
    POLICIES_READ("policies:read"),
    /** To change what is allowed from the next decision on. */
    POLICIES_WRITE("policies:write"),
    /** To read what is counted of all tenants: for who runs the installation. */
    METRICS_READ("metrics:read");

    /** What concerns all tenants: no token that a tenant hands out, or is handed, carries any of these. */
    private static final Set<Scope> OF_THE_INSTALLATION = Set.of(CONTROL_SYSTEM, METRICS_READ);

    private static final Set<Scope> OF_A_TENANT = Arrays.stream(values())
            .filter(scope -> !scope.isOfTheInstallation())
            .collect(Collectors.toUnmodifiableSet());

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    /** Whether it is only for who runs the installation, since it shows or changes what belongs to other tenants. */
    public boolean isOfTheInstallation() {
        return OF_THE_INSTALLATION.contains(this);
    }

    /** All that a caller of a tenant can be allowed. */
    public static Set<Scope> ofATenant() {
        return OF_A_TENANT;
    }

    /** Those of these names that a caller of a tenant can be allowed; other names mean nothing here. */
    static Set<Scope> ofATenant(Set<String> names) {
        return OF_A_TENANT.stream().filter(scope -> names.contains(scope.text)).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String toString() {
        return text;
    }
}
