package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.drawing.Drawing;
import dev.flowstone.dialect.drawing.GraphJson;
import dev.flowstone.dialect.drawing.Mermaid;
import dev.flowstone.dialect.drawing.RunOverlay;
import dev.flowstone.dialect.drawing.Svg;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.read.Span;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Parentage;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.api.Included.Part;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.Action;
import dev.flowstone.server.execution.Actions;
import dev.flowstone.server.execution.Child;
import dev.flowstone.server.execution.Children;
import dev.flowstone.server.execution.ContextSnapshot;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.PayloadTypes;
import dev.flowstone.server.execution.Payloads;
import dev.flowstone.server.execution.Progress;
import dev.flowstone.server.execution.Resource;
import dev.flowstone.server.execution.Resources;
import dev.flowstone.server.execution.States;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Executions, to look at (dataflow.md §13.2). */
public final class ExecutionRoutes {
    private static final String ONE = ExecutionJson.ROOT + "/{id}";

    private static final int RESETS = 100;

    private final RunReader runs;
    private final Journal journal;
    private final RunHistory history;
    private final Programs programs;
    private final States states;

    public ExecutionRoutes(RunReader runs, Journal journal, Programs programs, States states) {
        this.runs = requireNonNull(runs);
        this.journal = requireNonNull(journal);
        this.history = new RunHistory(runs);
        this.programs = requireNonNull(programs);
        this.states = requireNonNull(states);
    }

    public List<Route> routes() {
        return List.of(
                Route.get(ExecutionJson.ROOT, Scope.EXECUTIONS_READ, ExecutionDocs.LIST, this::list),
                Route.get(ONE, Scope.EXECUTIONS_READ, ExecutionDocs.READ, this::read),
                Route.get(ONE + "/graph", Scope.EXECUTIONS_READ, ExecutionDocs.GRAPH, this::graph));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        Optional<RunId> before = before(call.query());
        Optional<WorkflowId> workflow = call.query().meaning("workflowId", WorkflowId::new);
        Optional<ExecutionStatus> status = call.query().text("status").flatMap(ExecutionStatus::parse);
        Set<RunStatus> statuses = status.map(ExecutionStatus::runStatuses).orElse(Set.of());
        List<RunRow> rows = status.isPresent() && statuses.isEmpty()
                ? List.of()
                : runs.runs(call.tenant(), new RunFilter(workflow, statuses, began(call.query())), before, limit + 1);
        List<JsonValue> items = items(call.tenant(), rows.subList(0, Math.min(limit, rows.size())));
        Optional<String> next = rows.size() > limit
                ? Optional.of(Page.cursor(rows.get(limit - 1).key().run().toString()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static Span began(Query query) throws ProblemException {
        return new Span(query.time("startedSince"), query.time("startedBefore"));
    }

    /** What an execution is about, and who called it, stands in its first entry: two reads more for the whole page. */
    private List<JsonValue> items(TenantId tenant, List<RunRow> rows) throws JournalException {
        List<RunId> ids = rows.stream().map(row -> row.key().run()).toList();
        Map<RunId, SubjectBinding> subjects = history.subjects(tenant, ids);
        Map<RunId, RunId> parents = history.parents(tenant, ids);
        List<JsonValue> items = new ArrayList<>();
        for (RunRow row : rows) {
            Optional<SubjectBinding> subject =
                    Optional.ofNullable(subjects.get(row.key().run()));
            Optional<RunId> parent = Optional.ofNullable(parents.get(row.key().run()));
            items.add(ExecutionJson.row(row)
                    .put("parentExecutionId", ExecutionJson.parent(parent))
                    .put("subject", ExecutionJson.subject(subject, Optional.empty()))
                    .build());
        }
        return items;
    }

    private Reply read(Call call) throws ProblemException, JournalException {
        Included included = Included.of(call.query());
        RunRow row = row(call);
        Execution execution = Execution.read(history, row);
        List<Payload> payloads = new ArrayList<>(execution.input().values());
        execution.output().ifPresent(payloads::add);
        Actions actions = new Actions(followed(row), included.window(Part.ACTIONS));
        Children children = new Children(included.window(Part.CHILDREN));
        Resources resources = new Resources(call.tenant(), included.window(Part.RESOURCES));
        fold(included, row, actions, children, resources);
        for (Action action : actions.all()) {
            action.parameters().ifPresent(payloads::add);
            action.outputs().ifPresent(payloads::add);
        }
        resources.all().forEach(resource -> payloads.add(resource.content()));
        RunState state = states.of(row);
        ContextSnapshot context = new ContextSnapshot(state);
        if (included.context()) {
            payloads.addAll(context.payloads());
        }
        Payloads values = Payloads.of(runs, call.tenant(), payloads);
        JsonObject.Builder json = ExecutionJson.execution(execution, values)
                .put("subject", ExecutionJson.subject(execution.subject(), state.subjectVersion()))
                .put("parentExecutionId", ExecutionJson.parent(state.parentage().map(Parentage::parent)))
                .put("resets", resets(row))
                .put("progress", ProgressJson.of(state))
                .put("hold", ExecutionJson.hold(state));
        if (included.context()) {
            json.put("contextSnapshot", context.toJson(values, PayloadTypes.of(runs, call.tenant(), context.summed())));
        }
        if (included.has(Part.ACTIONS)) {
            json.put(Part.ACTIONS.word(), actions(actions, values));
        }
        if (included.has(Part.CHILDREN)) {
            json.put(Part.CHILDREN.word(), children(children, row));
        }
        if (included.has(Part.RESOURCES)) {
            json.put(Part.RESOURCES.word(), resources(resources, row, values));
        }
        if (included.has(Part.EVENTS)) {
            // An execution's events are numbered without a gap: so many of them end at that number.
            long after = included.after(Part.EVENTS) + included.offset();
            json.put(Part.EVENTS.word(), events(row, after, included.limit()));
        }
        return Reply.json(200, json.build())
                .etag("s" + row.lastSequence())
                .header(Reply.LAST_SEQ, Long.toString(row.lastSequence()));
    }

    /** One reading of the log serves all lists. */
    private void fold(Included included, RunRow row, Actions actions, Children children, Resources resources)
            throws JournalException {
        List<Consumer<Event>> folds = new ArrayList<>();
        if (included.has(Part.ACTIONS)) {
            folds.add(actions::add);
        }
        if (included.has(Part.CHILDREN)) {
            folds.add(children::add);
        }
        if (included.has(Part.RESOURCES)) {
            folds.add(resources::add);
        }
        if (!folds.isEmpty()) {
            history.replay(row.key().tenant(), row.key().run(), 1, event -> folds.forEach(fold -> fold.accept(event)));
        }
    }

    /** Executions that began at points of this one, the oldest first; what they began at stands in their first events. */
    private JsonArray resets(RunRow row) throws JournalException {
        TenantId tenant = row.key().tenant();
        List<RunId> begun = journal.resets(tenant, row.key().run(), RESETS);
        Map<RunId, Event> first = history.beginnings(tenant, begun);
        List<JsonValue> items = new ArrayList<>();
        for (RunId run : begun) {
            JsonObject.Builder item = JsonObject.builder().put("executionId", run.toString());
            Event beginning = first.get(run);
            if (beginning != null && beginning.body() instanceof ControlEvent.RunReset reset) {
                item.put("sequence", reset.sequence());
            }
            items.add(item.build());
        }
        return new JsonArray(items);
    }

    private static JsonObject actions(Actions actions, Payloads payloads) {
        List<Action> all = actions.all();
        List<JsonValue> items = new ArrayList<>();
        for (Action action : all) {
            JsonObject.Builder json = ExecutionJson.action(action, payloads);
            action.child().ifPresent(child -> json.put("childExecutionId", child.toString()));
            items.add(json.build());
        }
        Optional<String> next = actions.more()
                ? Optional.of(Page.cursor(Long.toString(all.getLast().sequence())))
                : Optional.empty();
        return new Page(items, next).toJson();
    }

    /** Those that it called, with how they stand now. */
    private JsonObject children(Children children, RunRow row) throws JournalException {
        List<Child> all = children.all();
        Map<RunId, RunRow> rows =
                runs.rows(row.key().tenant(), all.stream().map(Child::id).toList());
        boolean over = row.status().isFinal();
        List<JsonValue> items = all.stream()
                .<JsonValue>map(child -> ChildJson.expanded(child, Optional.ofNullable(rows.get(child.id())), over))
                .toList();
        Optional<String> next = children.more()
                ? Optional.of(Page.cursor(Long.toString(all.getLast().sequence())))
                : Optional.empty();
        return new Page(items, next).toJson();
    }

    private static JsonObject resources(Resources resources, RunRow row, Payloads payloads) {
        List<Resource> all = resources.all();
        List<JsonValue> items = all.stream()
                .<JsonValue>map(
                        resource -> ExecutionJson.resource(resource, row.key().run(), payloads))
                .toList();
        Optional<String> next = resources.more()
                ? Optional.of(Page.cursor(Long.toString(all.getLast().sequence())))
                : Optional.empty();
        return new Page(items, next).toJson();
    }

    private JsonObject events(RunRow row, long after, int limit) throws JournalException {
        List<JsonValue> items = new ArrayList<>();
        for (Event event : history.page(row.key().tenant(), row.key().run(), after + 1, limit)) {
            if (event.sequence() <= row.lastSequence()) {
                items.add(EventJson.of(event));
            }
        }
        long last = after + items.size();
        Optional<String> next =
                last < row.lastSequence() ? Optional.of(Page.cursor(Long.toString(last))) : Optional.empty();
        return new Page(items, next).toJson();
    }

    private Reply graph(Call call) throws ProblemException, JournalException {
        String format = call.query().text("format").orElse("svg");
        RunRow row = row(call);
        Progress progress = new Progress();
        history.replay(call.tenant(), row.key().run(), 1, progress::add);
        Optional<RunOverlay> overlay = Optional.of(progress.overlay());
        Reply reply = switch (format) {
            case "json" -> Reply.json(200, graph(row, GraphJson.of(program(row), overlay)));
            case "mermaid" -> Reply.text("text/vnd.mermaid; charset=utf-8", Mermaid.of(program(row), overlay));
            default ->
                switch (Svg.of(program(row), overlay)) {
                    case Drawing.Drawn(String text) -> Reply.text("image/svg+xml", text);
                    case Drawing.TooLarge(String message) -> throw refused(message);
                };
        };
        return reply.etag("s" + row.lastSequence()).header(Reply.LAST_SEQ, Long.toString(row.lastSequence()));
    }

    private static JsonObject graph(RunRow row, JsonObject drawn) {
        JsonObject.Builder json = JsonObject.builder();
        drawn.members().forEach(json::put);
        return json.put("executionId", row.key().run().toString())
                .put("workflowId", row.workflow().value())
                .put("workflowVersion", row.version())
                .put("status", ExecutionStatus.of(row.status()).toString())
                .build();
    }

    private RunRow row(Call call) throws ProblemException, JournalException {
        RunId id = Answers.execution(call);
        Optional<RunRow> row = runs.run(call.tenant(), id);
        if (row.isEmpty()) {
            throw Answers.absent(runs, call.tenant(), id);
        }
        return row.get();
    }

    /** Its programs were stored before it began or moved; one that can't be read now leaves its actions unnamed. */
    private dev.flowstone.kernel.program.Programs followed(RunRow row) {
        return hash -> programs.readable(row.key().tenant(), hash);
    }

    private Program program(RunRow row) throws JournalException {
        return programs.program(row.key().tenant(), row.program()).program();
    }

    private static Optional<RunId> before(Query query) throws ProblemException {
        Optional<String> key = Page.key(query, Page.AFTER);
        try {
            return key.map(RunId::parse);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private static ProblemException refused(String detail) {
        return Problem.of(ProblemCode.INVALID_REQUEST, detail).exception();
    }
}
