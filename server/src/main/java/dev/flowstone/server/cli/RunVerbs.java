package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with one run on a running server; each row is a route of {@code docs/rest.md}. */
final class RunVerbs {
    private static final String RUN = "/executions/{id}";
    private static final String SOME_RUN = " 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d";
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
    private static final Argument INCIDENT =
            new Argument("incident", "INCIDENT", "The incident's number; `runs incidents RUN` lists them.");

    private RunVerbs() {}

    /** {@code flowstone runs …}. */
    static List<Verb> all() {
        return List.of(
                run("suspend", "Stop a run until it is resumed.", " --reason audit")
                        .flags(SharedFlags.REASON, TIMERS, INPUT),
                run("resume", "Let a suspended run go on.", " --reason done")
                        .flags(SharedFlags.REASON, SharedFlags.DRY_RUN),
                run("drain", "Let live work finish, then suspend.", " --reason update --within 10m")
                        .flags(SharedFlags.REASON, TIMERS, INPUT, SharedFlags.WITHIN),
                run("cancel", "End a run in good order, undoing what it did.", " --reason withdrawn")
                        .flags(
                                SharedFlags.REASON,
                                new Flag("--no-undo", "undo", Kind.OFF, "", false, "Don't undo what was done.")),
                run("terminate", "End a run now; nothing is undone.", " --reason runaway")
                        .flags(SharedFlags.REASON),
                run("force-fail", "Fail a run that can't go on.", " --reason \"the bank is gone\"")
                        .flags(SharedFlags.REASON),
                run("reenqueue", "Have a run taken up again that stands still.", " --reason \"its worker is back\"")
                        .flags(SharedFlags.REASON),
                run("rebuild", "Make a run's rows anew from its log, once that is verified.", " --reason repair")
                        .flags(SharedFlags.REASON),
                run(
                                "rollback",
                                "Undo what was done since a node was entered, and enter it again.",
                                " --to review --reason wrong")
                        .flags(Flag.must("--to", "nodeId", "NODE", "The node."), SharedFlags.REASON),
                run("migrate", "Move a run to another version of its workflow.", " --version 2 --dry-run")
                        .saying(JsonObject.builder()
                                .put("dryRun", JsonBoolean.of(false))
                                .build())
                        .flags(SharedFlags.VERSION, SharedFlags.NODES, SharedFlags.DRY_RUN),
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
                                SharedFlags.REASON));
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
                .flags(SharedFlags.LIMIT, SharedFlags.AFTER);
    }
}
