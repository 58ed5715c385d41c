package dev.flowstone.server.cli;

import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs under the JSON DAG contract's word. What is done to one is what {@link RunVerbs} says, under either word; here are the
 * calls besides that look at a server's executions, which {@code runs} reads from the database.
 */
final class ExecutionVerbs {
    private static final String ROOT = "/executions";
    private static final String ONE = ROOT + "/{id}";
    private static final String SOME_RUN = " 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d";

    private ExecutionVerbs() {}

    /** {@code flowstone executions …}. */
    static List<Verb> all() {
        List<Verb> all = new ArrayList<>(List.of(
                start(),
                list(),
                Verb.get(
                                "show",
                                "Show how one stands, with its input, output and error.",
                                ONE,
                                new Report.Change(),
                                "executions show" + SOME_RUN,
                                Argument.RUN)
                        .flags(Flag.may(
                                "--include",
                                "include",
                                Kind.TEXT,
                                "LIST,LIST",
                                "With its actions, children, resources, events, context.")),
                Verb.list(
                        "hierarchy",
                        "Show the whole tree that one belongs to.",
                        ONE + "/hierarchy",
                        new Report.Rows(
                                List.of(
                                        new Column("EXECUTION", "executionId"),
                                        new Column("DEPTH", "depth"),
                                        new Column("WORKFLOW", "workflowId"),
                                        new Column("VERSION", "workflowVersion"),
                                        new Column("STATUS", "status"),
                                        new Column("NODE", "nodeId")),
                                "Nothing."),
                        "executions hierarchy" + SOME_RUN,
                        Argument.RUN)));
        RunVerbs.all().forEach(verb -> all.add(verb.in("executions")));
        return List.copyOf(all);
    }

    private static Verb start() {
        return Verb.post(
                        "start",
                        "Start a workflow's current version.",
                        "/workflows/{id}/execute",
                        "executions start order --input '{\"amount\": 120}' --request-id order-17",
                        new Argument("id", "WORKFLOW", "The workflow's id."))
                .flags(
                        Flag.may(
                                "--input",
                                "trigger",
                                Kind.JSON,
                                "JSON|@FILE",
                                "What the workflow sees as `trigger` (default: {})."),
                        Flag.may("--spec", "spec", Kind.JSON, "JSON|@FILE", "What it sees as `spec`."),
                        Flag.may(
                                "--request-id",
                                "requestId",
                                Kind.TEXT,
                                "ID",
                                "Repeat the call under the same id, and it is the same execution."),
                        Flag.may("--priority", "priority", Kind.COUNT, "N", "Recorded with it."),
                        Flag.may(
                                "--subject",
                                "subject",
                                Kind.JSON,
                                "JSON|@FILE",
                                "What it is about: kind, id, version."));
    }

    private static Verb list() {
        return Verb.list(
                        "list",
                        "List executions, the newest first.",
                        ROOT,
                        new Report.Rows(
                                List.of(
                                        new Column("EXECUTION", "executionId"),
                                        new Column("WORKFLOW", "workflowId"),
                                        new Column("VERSION", "workflowVersion"),
                                        new Column("STATUS", "status"),
                                        new Column("STARTED", "startTime"),
                                        new Column("ENDED", "endTime")),
                                "No executions."),
                        "executions list --status Failed")
                .flags(
                        SharedFlags.WORKFLOW,
                        Flag.may(
                                "--status",
                                "status",
                                Kind.TEXT,
                                "STATUS",
                                "Only Pending, Running, Succeeded, Failed or Cancelled ones."),
                        Flag.may(
                                "--since",
                                "startedSince",
                                Kind.TEXT,
                                "TIME",
                                "Only those that began then or later, 2026-11-28T12:00:00Z."),
                        Flag.may("--before", "startedBefore", Kind.TEXT, "TIME", "Only those that began before then."));
    }
}
