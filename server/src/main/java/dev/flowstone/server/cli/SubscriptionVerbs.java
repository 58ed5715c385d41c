package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with subscriptions on a running server; each row is a route of {@code docs/rest.md}. */
final class SubscriptionVerbs {
    private static final String ROOT = "/subscriptions";
    private static final String ONE = ROOT + "/{name}";
    private static final Argument NAME = new Argument("name", "NAME", "The subscription's name.");
    private static final Flag WHY = Flag.may("--reason", "reason", Kind.TEXT, "TEXT", "Why; it is kept with the deed.");

    private SubscriptionVerbs() {}

    /** {@code flowstone subscriptions …}. */
    static List<Verb> all() {
        return List.of(
                Verb.get(
                                "list",
                                "List subscriptions.",
                                ROOT,
                                new Report.Rows(
                                        List.of(
                                                new Column("NAME", "name"),
                                                new Column("SINK", "sink"),
                                                new Column("STATE", "state"),
                                                new Column("BEHIND", "behind"),
                                                new Column("DELIVERED", "delivered"),
                                                new Column("FAILING SINCE", "failingSince"),
                                                new Column("REASON", "reason")),
                                        "No subscriptions."),
                                "subscriptions list")
                        .flags(SharedFlags.LIMIT, SharedFlags.AFTER),
                Verb.get(
                        "show",
                        "Show one, how far it has come, what failed, and what was done to it.",
                        ONE,
                        new Report.Change(),
                        "subscriptions show crm",
                        NAME),
                new Verb(
                        "put",
                        "Make one, or have it send other events or to somebody else.",
                        "PUT",
                        ONE,
                        List.of(NAME),
                        List.of(SharedFlags.file("JSON with its sink, filter and from."), WHY),
                        JsonObject.EMPTY,
                        new Report.Change(),
                        "subscriptions put crm --file crm.json"),
                Verb.post(
                                "pause",
                                "Stop it; it keeps its place.",
                                ONE + "/pause",
                                "subscriptions pause crm --reason \"the CRM moves\"",
                                NAME)
                        .flags(WHY),
                Verb.post(
                                "resume",
                                "Let it go on from its place, also if it was broken.",
                                ONE + "/resume",
                                "subscriptions resume crm",
                                NAME)
                        .flags(WHY),
                Verb.post(
                                "rewind",
                                "Put it elsewhere: what comes behind is sent, again if need be.",
                                ONE + "/rewind",
                                "subscriptions rewind crm --to beginning",
                                NAME)
                        .flags(
                                Flag.must(
                                        "--to",
                                        "to",
                                        "PLACE",
                                        "now, beginning, a time such as 2026-11-28T12:00:00Z, or a cursor."),
                                WHY),
                Verb.post(
                                "skip",
                                "Pass over the one event that can't be delivered.",
                                ONE + "/skip",
                                "subscriptions skip crm --reason \"the CRM will never take it\"",
                                NAME)
                        .flags(
                                Flag.may(
                                        "--event",
                                        "event",
                                        Kind.TEXT,
                                        "EVENT",
                                        "Which, if several are held up; `subscriptions show` names them."),
                                WHY),
                new Verb(
                        "remove",
                        "Remove it, with its place.",
                        "DELETE",
                        ONE,
                        List.of(NAME),
                        List.of(WHY),
                        JsonObject.EMPTY,
                        new Report.Change(),
                        "subscriptions remove crm"));
    }
}
