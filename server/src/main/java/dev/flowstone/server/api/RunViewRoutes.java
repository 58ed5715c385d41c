package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.Attestation;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.api.doc.TaskDocs;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.Child;
import dev.flowstone.server.execution.Children;
import dev.flowstone.server.execution.States;
import dev.flowstone.server.execution.Window;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.timeline.EventCategories;
import dev.flowstone.server.timeline.SpeakersBefore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an execution holds, and how it came about: timeline, timers, incidents, children, variables, attestations (enterprise.md §7.3). */
final class RunViewRoutes {
    private static final String ONE = ExecutionJson.ROOT + "/{id}";
    private static final String FROM = "from";

    private final RunHistory history;
    private final Programs programs;
    private final States states;
    private final RunCalls calls;

    RunViewRoutes(RunHistory history, Programs programs, States states, RunCalls calls) {
        this.history = requireNonNull(history);
        this.programs = requireNonNull(programs);
        this.states = requireNonNull(states);
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ONE + "/timeline", Scope.EXECUTIONS_READ, ExecutionDocs.TIMELINE, this::timeline),
                Route.get(ONE + "/timers", Scope.EXECUTIONS_READ, ExecutionDocs.TIMERS, this::timers),
                Route.get(ONE + "/incidents", Scope.EXECUTIONS_READ, ExecutionDocs.INCIDENTS, this::incidents),
                Route.get(ONE + "/children", Scope.EXECUTIONS_READ, ExecutionDocs.CHILDREN, this::children),
                Route.get(ONE + "/variables", Scope.EXECUTIONS_READ, ExecutionDocs.VARIABLES, this::variables),
                Route.get(ONE + "/attestations", Scope.TASKS_READ, TaskDocs.ATTESTATIONS, this::attestations));
    }

    /** By number, which every event has: {@code from}, or {@code cursor}, is the first one's, {@code next} the following page's. */
    private Reply timeline(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        int from = from(call.query());
        RunRow row = calls.row(call);
        List<Event> page = history.page(row.key().tenant(), row.key().run(), from, limit);
        Annotations annotations = new Annotations(
                new SpeakersBefore(history, row.key()).of(page),
                new EventCategories(programs.readable(row.key().tenant(), row.program())));
        List<JsonValue> items = new ArrayList<>();
        for (Event event : page) {
            if (event.sequence() <= row.lastSequence()) {
                items.add(annotations.of(event));
            }
        }
        long next = from + (long) items.size();
        JsonObject.Builder json = JsonObject.builder().put("items", new JsonArray(items));
        if (!items.isEmpty() && next <= row.lastSequence()) {
            json.put("next", next);
        } else {
            json.put("next", JsonNull.NULL);
        }
        return of(row, json.build());
    }

    private static int from(Query query) throws ProblemException {
        Optional<Integer> from = query.number(FROM, 1, ExecutionDocs.MOST_EVENTS);
        Optional<Integer> cursor = query.number(Page.CURSOR, 1, ExecutionDocs.MOST_EVENTS);
        if (from.isPresent() && cursor.isPresent()) {
            throw Query.refused("'from' and 'cursor' mean the same; send one of them");
        }
        return from.or(() -> cursor).orElse(1);
    }

    private Reply timers(Call call) throws ProblemException, JournalException {
        RunRow row = calls.row(call);
        List<TimerState> timers = states.of(row).timers().stream()
                .sorted(Comparator.comparing(TimerState::timer))
                .toList();
        return page(call, row, timers, timer -> timer.timer().value(), RunViewRoutes::timer);
    }

    private static JsonObject timer(TimerState timer) {
        return JsonObject.builder()
                .put("timer", timer.timer().value())
                .put("purpose", timer.purpose().name())
                .put("dueAt", timer.dueAt().toString())
                .put("generation", timer.generation())
                .put("activation", text(timer.activation().map(Object::toString)))
                .build();
    }

    private Reply incidents(Call call) throws ProblemException, JournalException {
        RunRow row = calls.row(call);
        List<Incident> open = states.of(row).incidents().stream()
                .sorted(Comparator.comparing(RunViewRoutes::place))
                .toList();
        return page(call, row, open, RunViewRoutes::place, RunViewRoutes::incident);
    }

    private static String place(Incident incident) {
        return place(incident.sequence());
    }

    /** Of equal length for all, so that its order is that of the numbers. */
    private static String place(long sequence) {
        return String.format(Locale.ROOT, "%018d", sequence);
    }

    private static JsonObject incident(Incident incident) {
        return JsonObject.builder()
                .put("incident", incident.sequence())
                .put("code", incident.code())
                .put("message", incident.message())
                .put(
                        "activation",
                        text(Optional.ofNullable(incident.activation()).map(Object::toString)))
                .build();
    }

    private Reply attestations(Call call) throws ProblemException, JournalException {
        RunRow row = calls.row(call);
        List<Attestation> open = states.of(row).attestations().stream()
                .sorted(Comparator.comparing(Attestation::id))
                .toList();
        return page(call, row, open, Attestation::id, RunViewRoutes::attestation);
    }

    private static JsonObject attestation(Attestation attestation) {
        return JsonObject.builder()
                .put("id", attestation.id())
                .put("activation", text(attestation.activation().map(Object::toString)))
                .put("reason", attestation.reason())
                .build();
    }

    private Reply variables(Call call) throws ProblemException, JournalException {
        RunRow row = calls.row(call);
        return of(
                row,
                JsonObject.builder()
                        .put("variables", states.of(row).variables())
                        .build());
    }

    private Reply children(Call call) throws ProblemException, JournalException {
        RunRow row = calls.row(call);
        long after = Page.number(call.query(), Page.AFTER).orElse(0L);
        Children children = new Children(new Window(after, 0, Page.limit(call.query())));
        history.replay(row.key().tenant(), row.key().run(), after + 1, children::add);
        List<Child> all = children.all();
        Optional<String> next =
                children.more() ? Optional.of(Page.cursor(place(all.getLast().sequence()))) : Optional.empty();
        return of(
                row,
                new Page(
                                all.stream()
                                        .<JsonValue>map(
                                                child -> ChildJson.child(child).build())
                                        .toList(),
                                next)
                        .toJson());
    }

    /** How an item of a list is named or written. */
    @FunctionalInterface
    private interface Said<T, R> {
        R of(T item);
    }

    /** A page of a list that was read whole, by keys in its order. */
    private static <T> Reply page(Call call, RunRow row, List<T> all, Said<T, String> key, Said<T, JsonObject> json)
            throws ProblemException {
        int limit = Page.limit(call.query());
        Optional<String> after = Page.key(call.query(), Page.AFTER);
        List<T> rest = all.stream()
                .filter(item ->
                        after.map(last -> key.of(item).compareTo(last) > 0).orElse(true))
                .toList();
        List<T> shown = rest.subList(0, Math.min(limit, rest.size()));
        Optional<String> next =
                rest.size() > limit ? Optional.of(Page.cursor(key.of(shown.getLast()))) : Optional.empty();
        return of(row, new Page(shown.stream().<JsonValue>map(json::of).toList(), next).toJson());
    }

    private static Reply of(RunRow row, JsonObject json) {
        return Reply.json(200, json)
                .etag("s" + row.lastSequence())
                .header(Reply.LAST_SEQ, Long.toString(row.lastSequence()));
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
