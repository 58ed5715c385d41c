package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.api.doc.EventDocs;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Events as they happen, as Server-Sent Events. */
final class EventRoutes {
    private final EventStreams streams;

    EventRoutes(EventStreams streams) {
        this.streams = requireNonNull(streams);
    }

    List<Route> routes() {
        return List.of(Route.get(
                "/api/v1/events",
                Scope.EVENTS_READ,
                EventDocs.STREAM,
                this::stream));
    }

    private Reply stream(Call call) throws ProblemException, JournalException {
        if (!streams.hasPlace(call.caller())) {
            throw Problem.of(
                            ProblemCode.BUSY,
                            "too many clients read events here, or too many of yours: let some of them end")
                    .retryAfter(Duration.ofSeconds(5))
                    .exception();
        }
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
            return Reply.outpour("text/event-stream", streams.open(call.caller(), filter, last, query.text("from").equals(Optional.of("begin"))));
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
