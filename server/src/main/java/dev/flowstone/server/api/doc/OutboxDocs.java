package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;

/** Of messages that leave. */
public final class OutboxDocs {
    private static final int NAME = 200;

    /** Of a reason, which is kept. */
    public static final int PROSE = 2_000;

    static final Parameter REASON = Parameter.prose("reason", PROSE, "Why; kept with what is done.");

    public static final Doc LIST = Doc.of("listMessages", Area.OUTBOX, "Lists messages that have not left")
            .query(
                    Parameter.choice("state", List.of("pending", "dead"), "Only those that are tried, or given up."),
                    Parameter.text("destination", NAME, "Only those that go there."),
                    Parameter.text(
                            "death",
                            NAME,
                            "Only dead letters of this reason: UNDELIVERABLE, EXHAUSTED or"
                                    + " UNKNOWN_DESTINATION, in any case."),
                    Parameter.text("executionId", NAME, "Only those of this execution."))
            .paged()
            .answers(200, "OutboxPage", "A page of them.");

    public static final Doc SHOW = Doc.of("getMessage", Area.OUTBOX, "Tells all that is known of a message")
            .answers(200, "OutboxStory", "The message.");

    public static final Doc REQUEUE = Doc.of("requeueMessage", Area.OUTBOX, "Tries a dead letter again")
            .takes("OptionalReason")
            .answers(200, "OutboxStory", "It is tried again.")
            .refuses(ProblemCode.INVALID_STATE);

    public static final Doc REQUEUE_SOME = Doc.of("requeueMessages", Area.OUTBOX, "Tries many dead letters again")
            .takes("OutboxRequeue")
            .answers(200, "RequeuedSome", "How many.");

    public static final Doc PURGE = Doc.of("purgeMessage", Area.OUTBOX, "Removes a dead letter; its evidence stays")
            .query(REASON)
            .answers(200, "OutboxPurged", "It is removed.")
            .refuses(ProblemCode.INVALID_STATE);

    public static final Doc PURGE_SOME = Doc.of("purgeMessages", Area.OUTBOX, "Removes many dead letters")
            .takes("OutboxPurge")
            .answers(200, "PurgedSome", "How many.");

    private OutboxDocs() {}
}
