package dev.flowstone.server.cli;

import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with workflows, tenants and the whole system on a running server; each row is a route of {@code docs/rest.md}. */
final class ControlVerbs {
    private static final Flag SCOPE_TIMERS = Flag.may(
            "--timers", "timers", Kind.TEXT, "RULE", "What waiting times do meanwhile: freeze (default) or catch_up.");
    private static final Flag SCOPE_INPUT = Flag.may(
            "--input", "input", Kind.TEXT, "RULE", "What happens to calls meanwhile: buffer (default) or reject.");
    private static final Flag HELD_WORKFLOW =
            Flag.may("--workflow", "workflowId", Kind.TEXT, "ID", "The workflow, if the scope is one.");

    private ControlVerbs() {}

    /** {@code flowstone control …}. */
    static List<Verb> all() {
        return List.of(
                scope("suspend", "Stop all runs of a scope until it is resumed.", " --reason audit")
                        .flags(HELD_WORKFLOW, SharedFlags.REASON, SCOPE_TIMERS, SCOPE_INPUT),
                scope("resume", "Let the runs of a scope go on.", " --reason done")
                        .flags(HELD_WORKFLOW, SharedFlags.REASON),
                scope("drain", "Let live work of a scope finish, then suspend it.", " --reason upgrade --within 10m")
                        .flags(HELD_WORKFLOW, SharedFlags.REASON, SCOPE_TIMERS, SCOPE_INPUT, SharedFlags.WITHIN),
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
                        .flags(SharedFlags.LIMIT, SharedFlags.AFTER));
    }

    private static Verb scope(String name, String header, String example) {
        return Verb.post(
                name,
                header,
                "/control/" + name,
                "control " + name + " workflow --workflow orders" + example,
                new Argument("scope", "SCOPE", "workflow (with --workflow), tenant (yours, or --tenant's) or system."));
    }
}
