package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;

/** Of what could not be taken up. */
public final class DeadLetterDocs {
    private static final int NAME = 200;

    public static final Doc LIST = Doc.of(
                    "listDeadLetters", Area.DEAD_LETTERS, "Lists dead letters, those of the outbox behind the others")
            .query(
                    Parameter.text(
                            "source", NAME, "Only those of this kind: `message`, `execution`, `trigger`, `effect`."),
                    Parameter.text(
                            "reason",
                            NAME,
                            "Only those that are dead for this: DESERIALIZATION, VALIDATION, POISON, UNDELIVERABLE,"
                                    + " EXHAUSTED or UNKNOWN_DESTINATION, in any case."),
                    Parameter.choice("state", List.of("waiting", "dead"), "Only those that are tried, or given up."),
                    Parameter.text("executionId", NAME, "Only those of this execution."),
                    Parameter.time("failedBefore", "Only those that failed last before then."))
            .paged()
            .answers(200, "DeadLetterPage", "A page of them.");

    public static final Doc SHOW = one("getDeadLetter", "Tells all that is known of a dead letter, its payload too")
            .answers(200, "DeadLetterStory", "The dead letter.");

    public static final Doc REQUEUE = one("requeueDeadLetter", "Tries a dead letter again at once")
            .takes("Comment")
            .answers(200, "DeadLetterRequeued", "It is tried again, and its retries count anew.");

    public static final Doc REQUEUE_SOME = Doc.of(
                    "requeueDeadLetters", Area.DEAD_LETTERS, "Tries many dead letters again")
            .takes("DeadLetterRequeue")
            .answers(200, "RequeuedSome", "How many.");

    public static final Doc PURGE = one("purgeDeadLetter", "Removes a dead letter; what was done to it stays")
            .query(Parameter.prose("comment", OutboxDocs.PROSE, "Why; kept with what is done."))
            .answers(200, "DeadLetterPurged", "It is removed.");

    public static final Doc PURGE_SOME = Doc.of("purgeDeadLetters", Area.DEAD_LETTERS, "Removes many dead letters")
            .takes("DeadLetterPurge")
            .answers(200, "PurgedSome", "How many.");

    private DeadLetterDocs() {}

    private static Doc one(String operation, String summary) {
        return Doc.of(operation, Area.DEAD_LETTERS, summary)
                .path(Parameter.text("id", NAME, "The dead letter's number, or the key of the outbox's message."))
                .refuses(ProblemCode.DEAD_LETTER_NOT_FOUND);
    }
}
