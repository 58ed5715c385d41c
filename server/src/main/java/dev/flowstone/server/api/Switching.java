package dev.flowstone.server.api;

import dev.flowstone.engine.catalog.Catalog.Turned;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.util.Optional;
import java.util.Set;

/** Turns an action or a connector of the catalog on or off. */
final class Switching {
    private static final String REASON = "reason";
    private static final int LONGEST = 500;

    private Switching() {}

    /** Why, as the body says. */
    static Optional<String> reason(Call call) throws ProblemException {
        return call.fields().only(Set.of(REASON)).note(REASON, LONGEST);
    }

    /** What is there was found before: nothing is ever taken out of a catalog. */
    static void turn(ActionDesk desk, Call call, Subject subject, boolean on, Optional<String> reason)
            throws ProblemException, JournalException {
        Turned turned = desk.turn(
                subject, on, reason, call.expectedRevision(), call.caller().principal());
        if (turned instanceof Turned.OtherRevision(long revision)) {
            throw Problem.of(
                            ProblemCode.PRECONDITION_FAILED,
                            "'" + subject.id() + "' is at revision " + revision
                                    + ", not at that of If-Match; read it again, then decide again")
                    .exception();
        }
    }
}
