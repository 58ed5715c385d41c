package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Events as they happen, as Server-Sent Events. */
final class EventRoutes {
    private static final int MOST_KINDS = 50;

    /** Taken from the sealed interfaces, so that a new kind is known by itself. */
    static final Set<String> KNOWN = kinds(EventBody.class).collect(Collectors.toCollection(TreeSet::new));

    private final EventStreams streams;

    EventRoutes(EventStreams streams) {
        this.streams = requireNonNull(streams);
    }

    List<Route> routes() {
        return List.of(Route.get(
                "/api/v1/events",
                Scope.EVENTS_READ,
                Set.of("executionId", "workflowId", "type", "from"),
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
                    kinds(query));
        } catch (IllegalArgumentException e) {
            throw Query.refused(Cut.text(String.valueOf(e.getMessage())));
        }
        Optional<String> last = call.headers().single("Last-Event-ID").filter(id -> !id.isEmpty());
        try {
            return Reply.outpour("text/event-stream", streams.open(call.caller(), filter, last, fromBegin(query)));
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

    private static boolean fromBegin(Query query) throws ProblemException {
        String from = query.text("from").orElse("now");
        if (!from.equals("now") && !from.equals("begin")) {
            throw Query.refused("'from' takes now or begin, not '" + Cut.text(from) + "'");
        }
        return from.equals("begin");
    }

    private static Set<String> kinds(Query query) throws ProblemException {
        Set<String> kinds = new LinkedHashSet<>();
        Optional<String> text = query.text("type");
        if (text.isPresent()) {
            for (String kind : text.get().split(",", -1)) {
                if (!kind.matches("[A-Za-z]{1,60}") || kinds.size() == MOST_KINDS) {
                    throw Query.refused("'type' takes at most " + MOST_KINDS
                            + " kinds of events with commas between them, such as TaskCompleted,RunFailed");
                }
                if (!KNOWN.contains(kind)) {
                    throw Query.refused("'type' takes kinds of events, and '" + kind + "' is none; known: "
                            + String.join(", ", KNOWN));
                }
                kinds.add(kind);
            }
        }
        return kinds;
    }

    private static Stream<String> kinds(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? kinds(one) : Stream.of(one.getSimpleName()));
    }
}
