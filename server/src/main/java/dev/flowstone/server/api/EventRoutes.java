package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.api.doc.EventDocs;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.stream.EventFilter;
import dev.flowstone.server.stream.EventStreams;
import dev.flowstone.server.stream.EventsGoneException;
import dev.flowstone.server.stream.StreamPlace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Events as they happen, as Server-Sent Events. */
final class EventRoutes {
    private static final String EVENT_STREAM = "text/event-stream";

    private final EventStreams streams;
    private final RunCalls calls;

    EventRoutes(EventStreams streams, RunCalls calls) {
        this.streams = requireNonNull(streams);
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/events", Scope.EVENTS_READ, EventDocs.STREAM, this::stream),
                Route.get(
                        ExecutionJson.ROOT + "/{id}/stream",
                        Scope.EXECUTIONS_READ,
                        ExecutionDocs.STREAM,
                        this::streamOne));
    }

    private void checkPlace(Call call) throws ProblemException {
        if (!streams.hasPlace(call.caller())) {
            throw Problem.of(
                            ProblemCode.BUSY,
                            "too many clients read events here, or too many of yours: let some of them end")
                    .retryAfter(Duration.ofSeconds(5))
                    .exception();
        }
    }

    /** Of one execution, to its end. Who comes back behind that is told by 204 to come no more, as browsers understand it. */
    private Reply streamOne(Call call) throws ProblemException, JournalException {
        Optional<StreamPlace> last = place(call);
        long from = last.isPresent()
                ? last.get().next()
                : call.query().number("from", 1, ExecutionDocs.MOST_EVENTS).orElse(1);
        RunRow row = calls.row(call);
        RunId run = row.key().run();
        boolean over = row.status().isFinal() && from > row.lastSequence();
        if (last.isPresent() && (over || isDamaged(call, run, last.get()))) {
            return Reply.nothing();
        }
        checkPlace(call);
        return Reply.outpour(EVENT_STREAM, streams.open(call.caller(), run, from));
    }

    private boolean isDamaged(Call call, RunId run, StreamPlace place) throws JournalException {
        return place.damaged() && !streams.isReadable(call.tenant(), run, place.next());
    }

    private static Optional<StreamPlace> place(Call call) throws ProblemException {
        Optional<String> last = call.headers().single("Last-Event-ID").filter(id -> !id.isEmpty());
        Optional<StreamPlace> place = last.flatMap(StreamPlace::parse);
        if (last.isPresent() && place.isEmpty()) {
            throw Query.refused("the header Last-Event-ID takes the id that came last: the number of an event");
        }
        return place;
    }

    private Reply stream(Call call) throws ProblemException, JournalException {
        checkPlace(call);
        Query query = call.query();
        EventFilter filter;
        try {
            filter = new EventFilter(
                    call.tenant(),
                    query.text("executionId").map(RunId::parse),
                    query.text("workflowId").map(WorkflowId::new),
                    Set.copyOf(query.words("type")));
        } catch (IllegalArgumentException e) {
            throw Query.refused(Cut.text(String.valueOf(e.getMessage())));
        }
        Optional<String> last = call.headers().single("Last-Event-ID").filter(id -> !id.isEmpty());
        try {
            boolean all = query.text("from").equals(Optional.of("begin"));
            return Reply.outpour(EVENT_STREAM, streams.open(call.caller(), filter, last, all));
        } catch (EventsGoneException e) {
            throw Problem.of(
                            ProblemCode.EVENTS_GONE,
                            e.getMessage() + "; read the executions' own events, and begin anew without Last-Event-ID")
                    .exception();
        } catch (IllegalArgumentException e) {
            throw Query.refused("the header Last-Event-ID takes the id of the event that came last: "
                    + Cut.text(String.valueOf(e.getMessage())));
        }
    }
}
