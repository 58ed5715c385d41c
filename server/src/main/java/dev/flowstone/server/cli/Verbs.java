package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with runs, tasks and signals on a running server; each row is a route of {@code docs/rest.md}. */
final class Verbs {
    private static final String RUN = "/executions/{id}";
    private static final String TASK = RUN + "/tasks/{activation}";
    private static final String SOME_RUN = " 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d";
    private static final String SOME_TASK = SOME_RUN + " review#1";

    private static final Flag REASON = Flag.must("--reason", "reason", "TEXT", "Why; it stands in the history.");
    private static final Flag LIMIT = Flag.may("--limit", "limit", Kind.COUNT, "N", "At most so many.");
    private static final Flag AFTER =
            Flag.may("--after", "after", Kind.TEXT, "CURSOR", "The next page, as the last one named it.");
    private static final Flag WORKFLOW =
            Flag.may("--workflow", "workflowId", Kind.TEXT, "ID", "Only those of this workflow.");
    private static final Flag DUE =
            Flag.may("--due-before", "dueBefore", Kind.TEXT, "TIME", "Only those due before, 2026-11-28T12:00:00Z.");
    private static final Flag LEASE = Flag.may(
            "--lease", "leaseSeconds", Kind.SECONDS, "TIME", "How long it stays reserved, 90, 15m, 2h (default: 15m).");
    private static final Flag OVERRIDE =
            Flag.on("--override", "override", "Although it isn't your task or your turn (scope tasks:manage).");
    private static final Flag TIMERS = Flag.may(
            "--timers",
            "timers",
            Kind.TEXT,
            "RULE",
            "What waiting times do meanwhile: freeze or catch_up (default: as the workflow says, else freeze).");
    private static final Flag INPUT = Flag.may(
            "--input",
            "input",
            Kind.TEXT,
            "RULE",
            "What happens to calls meanwhile: buffer or reject (default: as the workflow says, else buffer).");
    private static final Flag SCOPE_TIMERS = Flag.may(
            "--timers", "timers", Kind.TEXT, "RULE", "What waiting times do meanwhile: freeze (default) or catch_up.");
    private static final Flag SCOPE_INPUT = Flag.may(
            "--input", "input", Kind.TEXT, "RULE", "What happens to calls meanwhile: buffer (default) or reject.");
    private static final Flag WITHIN = Flag.may(
            "--within",
            "timeToLiveSeconds",
            Kind.SECONDS,
            "TIME",
            "Suspended after this long at the latest (default: 1h).");
    private static final Flag HELD_WORKFLOW =
            Flag.may("--workflow", "workflowId", Kind.TEXT, "ID", "The workflow, if the scope is one.");
    private static final Flag DRY_RUN = Flag.on("--dry-run", "dryRun", "Tell what would happen; nothing is done.");
    private static final Flag VERSION =
            Flag.may("--version", "version", Kind.COUNT, "N", "The version (default: the workflow's current one).");
    private static final Flag NODES =
            Flag.may("--nodes", "nodes", Kind.JSON, "JSON|@FILE", "New names of nodes by old ones, an object.");
    private static final Argument INCIDENT =
            new Argument("incident", "INCIDENT", "The incident's number; `runs incidents RUN` lists them.");

    private static final Report TASKS = new Report.Rows(
            List.of(
                    new Column("RUN", "executionId"),
                    new Column("TASK", "activation"),
                    new Column("WORKFLOW", "workflowId"),
                    new Column("ASKED", "assignees"),
                    new Column("CLAIMED BY", "claimedBy"),
                    new Column("DUE", "dueAt"),
                    new Column("OUTCOMES", "outcomes")),
            "No open tasks.");

    private Verbs() {}

    /** {@code flowstone tasks …}. */
    static List<Verb> tasks() {
        return List.of(
                Verb.get(
                                "list",
                                "List open tasks, the oldest first.",
                                "/tasks",
                                TASKS,
                                "tasks list --assignee role:legal")
                        .flags(
                                Flag.may(
                                        "--assignee",
                                        "assignee",
                                        Kind.TEXT,
                                        "PARTY",
                                        "Only those that ask user:ID or role:NAME."),
                                Flag.may(
                                        "--claimed-by",
                                        "claimedBy",
                                        Kind.TEXT,
                                        "USER",
                                        "Only those that user:ID has claimed."),
                                WORKFLOW,
                                DUE,
                                LIMIT,
                                AFTER),
                Verb.get("mine", "List what asks you now.", "/approvals", TASKS, "tasks mine --as anna --roles legal")
                        .flags(WORKFLOW, DUE, LIMIT, AFTER),
                Verb.get(
                        "show",
                        "Show one task with all that it says.",
                        RUN + "/tasks",
                        new Report.One("activation", "activation"),
                        "tasks show" + SOME_TASK,
                        Argument.RUN,
                        Argument.TASK),
                task("claim", "Reserve a task for yourself.", " --as anna").flags(LEASE, OVERRIDE),
                task("heartbeat", "Begin a claim's lease anew.", " --as anna --lease 30m")
                        .flags(LEASE),
                task("release", "Give a claim back.", " --as anna").flags(OVERRIDE),
                task("decide", "Decide a task.", " --as anna --outcome approve")
                        .flags(
                                Flag.must("--outcome", "outcome", "OUTCOME", "One of the task's outcomes."),
                                Flag.may("--rationale", "rationale", Kind.TEXT, "TEXT", "Why."),
                                Flag.may(
                                        "--on-behalf-of",
                                        "onBehalfOf",
                                        Kind.TEXT,
                                        "ID",
                                        "For whom (scope tasks:manage)."),
                                Flag.may(
                                        "--subject-version",
                                        "subjectVersion",
                                        Kind.COUNT,
                                        "N",
                                        "The version of the document that you saw."),
                                OVERRIDE),
                task("delegate", "Hand a task on to somebody else.", " --as anna --to user:bob --reason \"on leave\"")
                        .flags(
                                Flag.must("--to", "to", "PARTY", "user:ID or role:NAME."),
                                Flag.may("--from", "from", Kind.TEXT, "PARTY", "Whose place (default: yours)."),
                                REASON,
                                OVERRIDE),
                task("reassign", "Ask others instead.", " --to user:bob,role:board --reason \"too big\"")
                        .flags(
                                new Flag(
                                        "--to",
                                        "to",
                                        Kind.TEXTS,
                                        "PARTIES",
                                        true,
                                        "user:ID or role:NAME, with commas."),
                                Flag.may(
                                        "--from",
                                        "from",
                                        Kind.TEXT,
                                        "PARTY",
                                        "Instead of whom (default: of all who have not decided)."),
                                REASON),
                task("resolve", "Settle a task, whatever its quorum.", " --outcome reject --reason withdrawn")
                        .flags(Flag.must("--outcome", "outcome", "OUTCOME", "One of the task's outcomes."), REASON));
    }

    /** {@code flowstone signal …}. */
    static List<Verb> signals() {
        return List.of(
                signal("send", "Send a signal to the one who has waited longest, or keep it.")
                        .flags(Flag.may(
                                "--keep",
                                "timeToLiveSeconds",
                                Kind.SECONDS,
                                "TIME",
                                "How long it is kept until somebody waits for it (default: 7d; 0: not at all).")),
                signal("broadcast", "Send a signal to all who wait for it now.")
                        .saying(JsonObject.builder()
                                .put("broadcast", JsonBoolean.of(true))
                                .build()));
    }

    /** {@code flowstone control …}. */
    static List<Verb> control() {
        return List.of(
                scope("suspend", "Stop all runs of a scope until it is resumed.", " --reason audit")
                        .flags(HELD_WORKFLOW, REASON, SCOPE_TIMERS, SCOPE_INPUT),
                scope("resume", "Let the runs of a scope go on.", " --reason done")
                        .flags(HELD_WORKFLOW, REASON),
                scope("drain", "Let live work of a scope finish, then suspend it.", " --reason upgrade --within 10m")
                        .flags(HELD_WORKFLOW, REASON, SCOPE_TIMERS, SCOPE_INPUT, WITHIN),
                Verb.get(
                                "list",
                                "List what was set for scopes, the newest first.",
                                "/control",
                                new Report.Rows(
                                        List.of(
                                                new Column("NUMBER", "number"),
                                                new Column("AT", "at"),
                                                new Column("SCOPE", "scope"),
                                                new Column("MODE", "mode"),
                                                new Column("IN FORCE", "inForce"),
                                                new Column("BY", "actor"),
                                                new Column("REASON", "reason")),
                                        "Nothing was ever held."),
                                "control list")
                        .flags(LIMIT, AFTER));
    }

    private static Verb scope(String name, String header, String example) {
        return Verb.post(
                name,
                header,
                "/control/" + name,
                "control " + name + " workflow --workflow orders" + example,
                new Argument("scope", "SCOPE", "workflow (with --workflow), tenant (yours, or --tenant's) or system."));
    }

    /** {@code flowstone workflows …}. */
    static List<Verb> workflows() {
        return List.of(new Verb(
                        "migrate",
                        "Move a workflow's runs to another version of it, batch by batch.",
                        "POST",
                        "/workflows/{id}/migrate",
                        List.of(new Argument("id", "WORKFLOW", "The workflow's id.")),
                        List.of(),
                        JsonObject.builder()
                                .put("dryRun", JsonBoolean.of(false))
                                .build(),
                        new Report.Batches("batches"),
                        "workflows migrate order --version 2 --dry-run")
                .flags(
                        VERSION,
                        NODES,
                        Flag.may(
                                "--from-version",
                                "fromVersion",
                                Kind.COUNT,
                                "N",
                                "Only runs of this version (default: of every other)."),
                        Flag.may("--limit", "limit", Kind.COUNT, "N", "Runs in a batch, up to 200 (default: 50)."),
                        Flag.may("--batches", "batches", Kind.COUNT, "N", "At most so many batches (default: all)."),
                        Flag.may("--after", "after", Kind.TEXT, "RUN", "On from here, as the last batch said."),
                        DRY_RUN));
    }

    /** {@code flowstone runs …}. */
    static List<Verb> runs() {
        return List.of(
                run("suspend", "Stop a run until it is resumed.", " --reason audit")
                        .flags(REASON, TIMERS, INPUT),
                run("resume", "Let a suspended run go on.", " --reason done").flags(REASON, DRY_RUN),
                run("drain", "Let live work finish, then suspend.", " --reason update --within 10m")
                        .flags(REASON, TIMERS, INPUT, WITHIN),
                run("cancel", "End a run in good order, undoing what it did.", " --reason withdrawn")
                        .flags(REASON, new Flag("--no-undo", "undo", Kind.OFF, "", false, "Don't undo what was done.")),
                run("terminate", "End a run now; nothing is undone.", " --reason runaway")
                        .flags(REASON),
                run(
                                "rollback",
                                "Undo what was done since a node was entered, and enter it again.",
                                " --to review --reason wrong")
                        .flags(Flag.must("--to", "nodeId", "NODE", "The node."), REASON),
                run("migrate", "Move a run to another version of its workflow.", " --version 2 --dry-run")
                        .saying(JsonObject.builder()
                                .put("dryRun", JsonBoolean.of(false))
                                .build())
                        .flags(VERSION, NODES, DRY_RUN),
                run("reset", "Start a new run where a run was after one of its events.", " --sequence 7")
                        .flags(new Flag(
                                "--sequence",
                                "sequence",
                                Kind.COUNT,
                                "N",
                                true,
                                "The event's number; `show RUN --json` has them.")),
                list(
                        "timers",
                        "List the timers that a run has set.",
                        List.of(
                                new Column("TIMER", "timer"),
                                new Column("PURPOSE", "purpose"),
                                new Column("DUE", "dueAt"),
                                new Column("OF", "activation")),
                        "No timers."),
                run(
                        "fire",
                        "Let a timer go off now.",
                        RUN + "/timers/{timer}/fire",
                        " wait#1",
                        new Argument("timer", "TIMER", "Its name.")),
                list(
                        "incidents",
                        "List what has stopped and waits for an operator.",
                        List.of(
                                new Column("INCIDENT", "incident"),
                                new Column("CODE", "code"),
                                new Column("AT", "activation"),
                                new Column("MESSAGE", "message")),
                        "No incidents."),
                run(
                                "retry",
                                "Try again what an incident stopped.",
                                RUN + "/incidents/{incident}/retry",
                                " 17",
                                INCIDENT)
                        .flags(Flag.may("--input", "input", Kind.JSON, "JSON|@FILE", "With this input instead.")),
                run(
                                "skip",
                                "Count what an incident stopped as done.",
                                RUN + "/incidents/{incident}/skip",
                                " 17",
                                INCIDENT)
                        .flags(Flag.may("--output", "output", Kind.JSON, "JSON|@FILE", "With this output.")),
                run(
                                "fail",
                                "Count what an incident stopped as failed.",
                                RUN + "/incidents/{incident}/fail",
                                " 17 --code GIVEN_UP --message \"nobody answers\"",
                                INCIDENT)
                        .flags(
                                Flag.must("--code", "code", "CODE", "The error's code, for transitions and people."),
                                Flag.must("--message", "message", "TEXT", "The error in words.")),
                list(
                        "attestations",
                        "List what people are to say about things that can't be undone.",
                        List.of(
                                new Column("ATTESTATION", "id"),
                                new Column("AT", "activation"),
                                new Column("REASON", "reason")),
                        "No attestations."),
                run(
                                "attest",
                                "Say it.",
                                RUN + "/attestations/{attestation}",
                                " undo-1 --statement \"refunded by hand\"",
                                new Argument("attestation", "ATTESTATION", "Its id."))
                        .flags(Flag.must("--statement", "statement", "TEXT", "What was done.")),
                list(
                        "children",
                        "List the runs that a run called.",
                        List.of(
                                new Column("RUN", "executionId"),
                                new Column("WORKFLOW", "workflowId"),
                                new Column("VERSION", "workflowVersion"),
                                new Column("OF", "activation"),
                                new Column("ENDED", "ended")),
                        "No children."),
                Verb.get(
                        "variables",
                        "Show a run's variables.",
                        RUN + "/variables",
                        new Report.Members("variables"),
                        "runs variables" + SOME_RUN,
                        Argument.RUN),
                new Verb(
                                "set",
                                "Write variables of a run.",
                                "PATCH",
                                RUN + "/variables",
                                List.of(Argument.RUN),
                                List.of(),
                                JsonObject.EMPTY,
                                new Report.Change(),
                                "runs set" + SOME_RUN + " --variables '{\"limit\": 500}' --reason agreed")
                        .flags(
                                new Flag(
                                        "--variables",
                                        "variables",
                                        Kind.JSON,
                                        "JSON|@FILE",
                                        true,
                                        "By name, an object."),
                                REASON));
    }

    private static Verb task(String name, String header, String example) {
        return Verb.post(
                name, header, TASK + "/" + name, "tasks " + name + SOME_TASK + example, Argument.RUN, Argument.TASK);
    }

    private static Verb run(String name, String header, String example) {
        return Verb.post(name, header, RUN + "/" + name, "runs " + name + SOME_RUN + example, Argument.RUN);
    }

    private static Verb run(String name, String header, String path, String example, Argument argument) {
        return Verb.post(name, header, path, "runs " + name + SOME_RUN + example, Argument.RUN, argument);
    }

    private static Verb list(String name, String header, List<Column> columns, String none) {
        return Verb.get(
                        name,
                        header,
                        RUN + "/" + name,
                        new Report.Rows(columns, none),
                        "runs " + name + SOME_RUN,
                        Argument.RUN)
                .flags(LIMIT, AFTER);
    }

    private static Verb signal(String name, String header) {
        return new Verb(
                        name,
                        header,
                        "POST",
                        "/signals",
                        List.of(
                                new Argument("type", "TYPE", "The signal's type: what has happened."),
                                new Argument("key", "KEY", "To what: the key that runs wait for.")),
                        List.of(),
                        JsonObject.EMPTY,
                        new Report.Fate(),
                        "signal " + name + " paid order-7 --payload '{\"amount\": 120}'")
                .flags(
                        Flag.may("--payload", "payload", Kind.JSON, "JSON|@FILE", "What it carries."),
                        Flag.may("--dedupe", "dedupe", Kind.TEXT, "ID", "Drop it if one of the same id came before."));
    }
}
