package dev.flowstone.server.http;

/** What a route is about: the headings of the API's document. */
public enum Area {
    WORKFLOWS("Workflows", "Definitions: drafts, versions, what is active and what is archived."),
    EXECUTIONS("Executions", "Starting workflows, and looking at what became of it."),
    CONTROL("Control", "What operators do to executions, and to all of a workflow, a tenant or the system."),
    TASKS("People", "What people are asked, and what they decide."),
    WORKERS("Workers", "Actions that are done in other processes."),
    SIGNALS("Signals", "What executions wait for and hear from outside."),
    TRIGGERS("Triggers", "What starts workflows: webhooks, schedules, events."),
    TEMPLATES("Templates", "Documents and drafts of workflows from templates, and what they ask for."),
    ACTIONS("Actions", "What workflows may name: connectors and their actions, with what they take and answer."),
    POLICIES("Policies", "What may be done, decided by published rules."),
    OUTBOX("Outbox", "Messages that leave."),
    DEAD_LETTERS("Dead letters", "What could not be taken up."),
    EVENTS("Events", "Canonical events, as they happen and sent on."),
    SYSTEM("System", "How the installation fares, and this document.");

    private final String title;
    private final String says;

    Area(String title, String says) {
        this.title = title;
        this.says = says;
    }

    public String title() {
        return title;
    }

    public String says() {
        return says;
    }
}
