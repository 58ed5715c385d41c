package dev.flowstone.server.cli;

import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with tasks on a running server; each row is a route of {@code docs/rest.md}. */
final class TaskVerbs {
    private static final String TASK = "/executions/{id}/tasks/{activation}";
    private static final String SOME_TASK = " 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d review#1";
    private static final Flag DUE =
            Flag.may("--due-before", "dueBefore", Kind.TEXT, "TIME", "Only those due before, 2026-11-28T12:00:00Z.");
    private static final Flag LEASE = Flag.may(
            "--lease", "leaseSeconds", Kind.SECONDS, "TIME", "How long it stays reserved, 90, 15m, 2h (default: 15m).");
    private static final Flag OVERRIDE =
            Flag.on("--override", "override", "Although it isn't your task or your turn (scope tasks:manage).");
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

    private TaskVerbs() {}

    /** {@code flowstone tasks …}. */
    static List<Verb> all() {
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
                                SharedFlags.WORKFLOW,
                                DUE,
                                SharedFlags.LIMIT,
                                SharedFlags.AFTER),
                Verb.get("mine", "List what asks you now.", "/approvals", TASKS, "tasks mine --as anna --roles legal")
                        .flags(SharedFlags.WORKFLOW, DUE, SharedFlags.LIMIT, SharedFlags.AFTER),
                Verb.get(
                        "show",
                        "Show one task with all that it says.",
                        "/executions/{id}/tasks",
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
                                SharedFlags.REASON,
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
                                SharedFlags.REASON),
                task("resolve", "Settle a task, whatever its quorum.", " --outcome reject --reason withdrawn")
                        .flags(
                                Flag.must("--outcome", "outcome", "OUTCOME", "One of the task's outcomes."),
                                SharedFlags.REASON));
    }

    private static Verb task(String name, String header, String example) {
        return Verb.post(
                name, header, TASK + "/" + name, "tasks " + name + SOME_TASK + example, Argument.RUN, Argument.TASK);
    }
}
