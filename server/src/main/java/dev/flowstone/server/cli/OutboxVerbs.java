package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with messages of the outbox on a running server; each row is a route of {@code docs/rest.md}. */
final class OutboxVerbs {
    private static final String ROOT = "/outbox";
    private static final String ONE = ROOT + "/{message}";
    private static final String SOME_MESSAGE = " 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d:7:0";
    private static final Argument MESSAGE =
            new Argument("message", "MESSAGE", "The message's key; `outbox list` names it.");
    private static final Flag DESTINATION =
            Flag.may("--destination", "destination", Kind.TEXT, "NAME", "Only those for it, such as webhook:shop.");
    private static final Flag DEATH = Flag.may(
            "--death",
            "death",
            Kind.TEXT,
            "WHY",
            "Only those that are undeliverable, exhausted or unknown_destination.");
    private static final Flag BEFORE = Flag.may(
            "--failed-before",
            "failedBefore",
            Kind.TEXT,
            "TIME",
            "Only those that were tried last before then, 2026-11-28T12:00:00Z.");
    private static final Flag WHY = Flag.may("--reason", "reason", Kind.TEXT, "TEXT", "Why; it is kept with the deed.");
    private static final Flag MOST = Flag.may("--limit", "limit", Kind.COUNT, "N", "At most so many (default: 100).");

    private OutboxVerbs() {}

    /** {@code flowstone outbox …}. */
    static List<Verb> all() {
        return List.of(
                Verb.get(
                                "list",
                                "List messages that have not left.",
                                ROOT,
                                new Report.Rows(
                                        List.of(
                                                new Column("MESSAGE", "message"),
                                                new Column("DESTINATION", "destination"),
                                                new Column("STATE", "state"),
                                                new Column("ATTEMPTS", "attempts"),
                                                new Column("DUE", "dueAt"),
                                                new Column("DEATH", "death"),
                                                new Column("ERROR", "error")),
                                        "No messages."),
                                "outbox list --state dead")
                        .flags(
                                Flag.may("--state", "state", Kind.TEXT, "STATE", "Only those pending, or dead."),
                                DESTINATION,
                                DEATH,
                                SharedFlags.OF_RUN,
                                SharedFlags.LIMIT,
                                SharedFlags.AFTER),
                Verb.get(
                        "show",
                        "Show one message, what came of each attempt, and what was done to it.",
                        ONE,
                        new Report.Change(),
                        "outbox show" + SOME_MESSAGE,
                        MESSAGE),
                Verb.post(
                                "requeue",
                                "Put a dead letter back.",
                                ONE + "/requeue",
                                "outbox requeue" + SOME_MESSAGE + " --reason \"the shop is up again\"",
                                MESSAGE)
                        .flags(WHY),
                Verb.post(
                                "requeue-all",
                                "Put dead letters back, at a pace.",
                                ROOT + "/requeue",
                                "outbox requeue-all --destination webhook:shop --per-second 5")
                        .saying(pace())
                        .flags(DESTINATION, DEATH, SharedFlags.OF_RUN, BEFORE, MOST, SharedFlags.PER_SECOND, WHY),
                new Verb(
                        "purge",
                        "Remove a dead letter.",
                        "DELETE",
                        ONE,
                        List.of(MESSAGE),
                        List.of(WHY),
                        JsonObject.EMPTY,
                        new Report.Change(),
                        "outbox purge" + SOME_MESSAGE + " --reason \"the order was canceled\""),
                Verb.post(
                                "purge-all",
                                "Remove dead letters.",
                                ROOT + "/purge",
                                "outbox purge-all --failed-before 2026-11-01T00:00:00Z")
                        .saying(usual())
                        .flags(DESTINATION, DEATH, SharedFlags.OF_RUN, BEFORE, MOST, WHY));
    }

    /** A body has to be there, also if no flag is. */
    private static JsonObject usual() {
        return JsonObject.builder().put("limit", 100).build();
    }

    private static JsonObject pace() {
        return JsonObject.builder().put("limit", 100).put("perSecond", 10).build();
    }
}
