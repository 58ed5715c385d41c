package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with what could not be taken up, on a running server; each row is a route of {@code docs/rest.md}. */
final class DeadLetterVerbs {
    private static final String ROOT = "/dead-letters";
    private static final String ONE = ROOT + "/{id}";
    private static final String LIMIT = "limit";
    private static final int USUAL = 100;
    private static final Argument LETTER = new Argument("id", "LETTER", "Its id; `dead-letters list` has it.");
    private static final Flag SOURCE = Flag.may(
            "--source", "source", Kind.TEXT, "SOURCE", "Only those of kind message, execution, trigger or effect.");
    private static final Flag WHY = Flag.may(
            "--why",
            "reason",
            Kind.TEXT,
            "REASON",
            "Only those that are dead for it: DESERIALIZATION, VALIDATION, POISON, UNDELIVERABLE, EXHAUSTED,"
                    + " UNKNOWN_DESTINATION.");
    private static final Flag STATE =
            Flag.may("--state", "state", Kind.TEXT, "STATE", "Only those that are waiting, or dead.");
    private static final Flag BEFORE = Flag.may(
            "--failed-before",
            "failedBefore",
            Kind.TEXT,
            "TIME",
            "Only those that failed last before then, 2026-11-28T12:00:00Z.");
    private static final Flag MOST =
            Flag.may("--limit", LIMIT, Kind.COUNT, "N", "At most so many, up to 10000 (default: " + USUAL + ").");

    private DeadLetterVerbs() {}

    /** {@code flowstone dead-letters …}. */
    static List<Verb> all() {
        return List.of(
                Verb.list(
                                "list",
                                "List what could not be taken up.",
                                ROOT,
                                new Report.Rows(
                                        List.of(
                                                new Column("LETTER", "id"),
                                                new Column("SOURCE", "source"),
                                                new Column("REASON", "reason"),
                                                new Column("STATE", "state"),
                                                new Column("ATTEMPTS", "attempts"),
                                                new Column("RUN", "executionId"),
                                                new Column("DUE", "dueAt"),
                                                new Column("ERROR", "lastError")),
                                        "No dead letters."),
                                "dead-letters list --state dead")
                        .flags(SOURCE, WHY, STATE, SharedFlags.OF_RUN, BEFORE),
                Verb.get(
                        "show",
                        "Show one, its payload, and what was done to it.",
                        ONE,
                        new Report.Change(),
                        "dead-letters show 17",
                        LETTER),
                Verb.post(
                                "requeue",
                                "Try one again.",
                                ONE + "/requeue",
                                "dead-letters requeue 17 --comment \"the program is whole again\"",
                                LETTER)
                        .flags(SharedFlags.COMMENT),
                Verb.post(
                                "requeue-all",
                                "Try those again that are meant, at a pace.",
                                ROOT + "/requeue",
                                "dead-letters requeue-all --source trigger --per-second 5")
                        .saying(JsonObject.builder()
                                .put(LIMIT, USUAL)
                                .put("perSecond", 10)
                                .build())
                        .flags(
                                SOURCE,
                                WHY,
                                STATE,
                                SharedFlags.OF_RUN,
                                BEFORE,
                                MOST,
                                SharedFlags.PER_SECOND,
                                SharedFlags.COMMENT),
                Verb.delete(
                                "discard",
                                "Remove one; what was done to it stays.",
                                ONE,
                                "dead-letters discard 17 --comment \"the order was canceled\"",
                                LETTER)
                        .flags(SharedFlags.COMMENT),
                Verb.post(
                                "discard-all",
                                "Remove those that are meant.",
                                ROOT + "/purge",
                                "dead-letters discard-all --failed-before 2026-11-01T00:00:00Z")
                        .saying(JsonObject.builder().put(LIMIT, USUAL).build())
                        .flags(SOURCE, WHY, STATE, SharedFlags.OF_RUN, BEFORE, MOST, SharedFlags.COMMENT));
    }
}
