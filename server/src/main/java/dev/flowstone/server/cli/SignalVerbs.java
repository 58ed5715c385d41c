package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with signals on a running server; each row is a route of {@code docs/rest.md}. */
final class SignalVerbs {

    private SignalVerbs() {}

    /** {@code flowstone signal …}. */
    static List<Verb> all() {
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
