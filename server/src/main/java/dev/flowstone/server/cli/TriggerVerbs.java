package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with triggers on a running server; each row is a route of {@code docs/rest.md}. */
final class TriggerVerbs {
    private static final String ROOT = "/triggers";
    private static final String ONE = ROOT + "/{id}";
    private static final String SOME_TRIGGER = " 1b0e8a52-6d0e-4a35-9d2c-8c6a0f3b7e11";
    private static final Argument TRIGGER = new Argument("id", "TRIGGER", "The trigger's id; `triggers list` has it.");

    private TriggerVerbs() {}

    /** {@code flowstone triggers …}. */
    static List<Verb> all() {
        return List.of(
                list(),
                Verb.get(
                        "show",
                        "Show one, without its secrets.",
                        ONE,
                        new Report.Change(),
                        "triggers show" + SOME_TRIGGER,
                        TRIGGER),
                Verb.post("create", "Make a trigger.", ROOT, "triggers create --file nightly.json")
                        .flags(SharedFlags.file("JSON with its workflowId, triggerType, config and so on.")),
                new Verb(
                                "put",
                                "Change what the file names of it; the rest stays.",
                                "PUT",
                                ONE,
                                List.of(TRIGGER),
                                List.of(),
                                JsonObject.EMPTY,
                                new Report.Change(),
                                "triggers put" + SOME_TRIGGER + " --file nightly.json")
                        .flags(
                                SharedFlags.file(
                                        "JSON with what becomes of it: config, activationCondition, isEnabled."),
                                SharedFlags.REVISION),
                change("enable", "Turn it on.", "").flags(SharedFlags.REVISION),
                change("disable", "Turn it off.", "").flags(SharedFlags.REVISION),
                change("fire", "Do what a delivery would do.", " --input '{\"amount\": 120}'")
                        .flags(Flag.may(
                                "--input",
                                "trigger",
                                Kind.JSON,
                                "JSON|@FILE",
                                "What the workflow sees as `trigger` (default: {}).")),
                Verb.get(
                                "next",
                                "Show when a schedule fires next.",
                                ONE + "/next",
                                new Report.Rows(
                                        List.of(
                                                new Column("UTC", "at"),
                                                new Column("LOCAL TIME", "local"),
                                                new Column("CLOCK", "clock")),
                                        "It fires no more."),
                                "triggers next" + SOME_TRIGGER + " --count 5",
                                TRIGGER)
                        .flags(
                                Flag.may("--count", "count", Kind.COUNT, "N", "So many, up to 100 (default: 10)."),
                                Flag.may(
                                        "--from",
                                        "from",
                                        Kind.TEXT,
                                        "TIME",
                                        "After then, 2026-11-28T12:00:00Z (default: now).")),
                deliveries(),
                Verb.delete("remove", "Remove it.", ONE, "triggers remove" + SOME_TRIGGER, TRIGGER)
                        .flags(SharedFlags.REVISION));
    }

    private static Verb list() {
        return Verb.list(
                        "list",
                        "List triggers by id.",
                        ROOT,
                        new Report.Rows(
                                List.of(
                                        new Column("TRIGGER", "id"),
                                        new Column("WORKFLOW", "workflowId"),
                                        new Column("TYPE", "triggerType"),
                                        new Column("FIRES", "isEnabled"),
                                        new Column("REVISION", "revision"),
                                        new Column("NEXT", "nextFireAt"),
                                        new Column("CONFIG", "config")),
                                "No triggers."),
                        "triggers list --workflow order")
                .flags(
                        SharedFlags.WORKFLOW,
                        Flag.may(
                                "--type",
                                "triggerType",
                                Kind.TEXT,
                                "TYPE",
                                "Only Webhook, Schedule, Event or Manual ones."),
                        Flag.may(
                                "--fires",
                                "isEnabled",
                                Kind.TEXT,
                                "true|false",
                                "Only those that fire now, or don't."));
    }

    private static Verb deliveries() {
        return Verb.list(
                "deliveries",
                "List what came for it, the newest first.",
                ONE + "/deliveries",
                new Report.Rows(
                        List.of(
                                new Column("DELIVERY", "deliveryId"),
                                new Column("RECEIVED", "receivedAt"),
                                new Column("STATUS", "status"),
                                new Column("RUN", "executionId"),
                                new Column("CODE", "code"),
                                new Column("DETAIL", "detail")),
                        "Nothing came."),
                "triggers deliveries" + SOME_TRIGGER,
                TRIGGER);
    }

    private static Verb change(String name, String header, String more) {
        return Verb.post(name, header, ONE + "/" + name, "triggers " + name + SOME_TRIGGER + more, TRIGGER);
    }
}
