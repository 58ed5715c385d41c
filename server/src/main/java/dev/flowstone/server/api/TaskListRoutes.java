package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.HumanTaskPlace;
import dev.flowstone.engine.read.HumanTaskReader;
import dev.flowstone.engine.read.OpenTask;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.server.api.doc.TaskDocs;
import dev.flowstone.server.execution.Payloads;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What people are asked, to look at: open tasks, the oldest first. */
final class TaskListRoutes {
    private final HumanTaskReader tasks;
    private final RunReader runs;
    private final RunCalls calls;

    TaskListRoutes(HumanTaskReader tasks, RunReader runs, RunCalls calls) {
        this.tasks = requireNonNull(tasks);
        this.runs = requireNonNull(runs);
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/tasks", Scope.TASKS_READ, TaskDocs.LIST, this::all),
                Route.get("/api/v1/approvals", Scope.TASKS_READ, TaskDocs.OWN, this::own),
                Route.get(ExecutionJson.ROOT + "/{id}/tasks", Scope.TASKS_READ, TaskDocs.OF_ONE, this::ofOne));
    }

    private Reply all(Call call) throws ProblemException, JournalException {
        HumanTaskFilter filter = common(call.query());
        Optional<Party> assignee = call.query().meaning("assignee", Party::parse);
        if (assignee.isPresent()) {
            filter = filter.asking(Set.of(assignee.get().toString()));
        }
        Optional<String> claimedBy = call.query().text("claimedBy");
        if (claimedBy.isPresent()) {
            filter = filter.claimed(claimedBy.get());
        }
        return list(call, filter);
    }

    /** Those that ask the caller, or a role of the caller's, and that nobody else has claimed. */
    private Reply own(Call call) throws ProblemException, JournalException {
        Set<String> parties = new HashSet<>();
        parties.add(call.caller().principal().toString());
        call.caller().roles().forEach(role -> parties.add(Party.role(role).toString()));
        return list(
                call,
                common(call.query())
                        .asking(parties)
                        .free(call.caller().principal().toString()));
    }

    private Reply ofOne(Call call) throws ProblemException, JournalException {
        return list(call, HumanTaskFilter.ALL.ofRun(calls.row(call).key().run()));
    }

    private static HumanTaskFilter common(Query query) throws ProblemException {
        HumanTaskFilter filter = HumanTaskFilter.ALL;
        Optional<WorkflowId> workflow = query.meaning("workflowId", WorkflowId::new);
        if (workflow.isPresent()) {
            filter = filter.ofWorkflow(workflow.get());
        }
        Optional<Instant> due = query.time("dueBefore");
        return due.isPresent() ? filter.due(due.get()) : filter;
    }

    private Reply list(Call call, HumanTaskFilter filter) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        List<OpenTask> found = tasks.tasks(call.tenant(), filter, after(call.query()), limit + 1);
        List<OpenTask> page = found.subList(0, Math.min(limit, found.size()));
        List<Payload> requests = page.stream().map(TaskJson::request).toList();
        Payloads values = Payloads.of(runs, call.tenant(), requests);
        List<JsonValue> items = new ArrayList<>();
        for (OpenTask open : page) {
            items.add(TaskJson.of(open, values));
        }
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(written(page.getLast().place())))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static String written(HumanTaskPlace place) {
        return place.openedAt() + " " + place.run() + " " + place.activation();
    }

    private static Optional<HumanTaskPlace> after(Query query) throws ProblemException {
        Optional<String> key = Page.key(query, Page.AFTER);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = key.get().split(" ", 3);
        try {
            return Optional.of(
                    new HumanTaskPlace(Instant.parse(parts[0]), RunId.parse(parts[1]), ActivationId.parse(parts[2])));
        } catch (RuntimeException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }
}
