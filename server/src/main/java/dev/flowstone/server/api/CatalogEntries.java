package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog.Turned;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.catalog.SwitchState;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What the catalog has of one kind, shown by its id, and turned on and off.
 *
 * @param root where they are listed
 * @param missing what is said of one that isn't there
 */
record CatalogEntries<T>(
        ActionDesk desk,
        Subject.Kind kind,
        String root,
        ProblemCode missing,
        Reading<T> reading,
        Function<T, SwitchState> state,
        BiFunction<T, Caller, JsonObject> json) {
    static final String ID = "id";

    private static final String REASON = "reason";
    private static final int LONGEST = 500;

    CatalogEntries {
        requireNonNull(desk);
        requireNonNull(kind);
        requireNonNull(root);
        requireNonNull(missing);
        requireNonNull(reading);
        requireNonNull(state);
        requireNonNull(json);
    }

    /** Of the catalog. */
    @FunctionalInterface
    interface Reading<T> {
        Optional<T> of(String id) throws JournalException;
    }

    T found(Call call) throws ProblemException, JournalException {
        Optional<T> found = reading.of(id(call));
        return found.orElseThrow(() -> missing(call));
    }

    /** No id that the catalog has is refused by the database. */
    private String id(Call call) throws ProblemException {
        String id = call.variable(ID);
        if (id.indexOf('\0') >= 0) {
            throw missing(call);
        }
        return id;
    }

    private ProblemException missing(Call call) {
        return Problem.of(
                        missing,
                        "there is no " + word() + " '" + Cut.text(call.variable(ID)) + "' in the catalog; GET " + root
                                + " lists them")
                .exception();
    }

    Reply told(Call call) throws ProblemException, JournalException {
        T entry = found(call);
        return Reply.json(200, json.apply(entry, call.caller()))
                .header("ETag", "\"r" + state.apply(entry).revision() + "\"");
    }

    /** Off also what only this node knows of. */
    Reply turned(Call call, boolean on) throws ProblemException, JournalException {
        Optional<String> reason = call.fields().only(Set.of(REASON)).note(REASON, LONGEST);
        Subject subject = new Subject(kind, id(call));
        Turned turned = desk.turn(
                subject, on, reason, call.expectedRevision(), call.caller().principal());
        return switch (turned) {
            case Turned.Done _ -> told(call);
            case Turned.Unknown _ -> throw missing(call);
            case Turned.OtherRevision(long revision) ->
                throw Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "'" + subject.id() + "' is at revision " + revision
                                        + ", not at that of If-Match; read it again, then decide again")
                        .exception();
        };
    }

    private String word() {
        return switch (kind) {
            case ACTION -> "action";
            case CONNECTOR -> "connector";
        };
    }
}
