package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.execution.Family;
import dev.flowstone.server.execution.FamilyPlace;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The whole tree that an execution belongs to, a page at a time (dataflow.md §13.2). */
final class HierarchyRoute {
    private final RunReader runs;

    HierarchyRoute(RunReader runs) {
        this.runs = requireNonNull(runs);
    }

    Route route() {
        return Route.get(
                ExecutionJson.ROOT + "/{id}/hierarchy",
                Scope.EXECUTIONS_READ,
                ExecutionDocs.HIERARCHY,
                this::hierarchy);
    }

    private Reply hierarchy(Call call) throws ProblemException, JournalException {
        TenantId tenant = call.tenant();
        int limit = Page.limit(call.query());
        RunId id = Answers.execution(call);
        Optional<FamilyPlace> after = after(call);
        if (runs.run(tenant, id).isEmpty()) {
            throw Answers.absent(runs, tenant, id);
        }
        Family family = new Family(runs, tenant);
        RunId top = family.top(id);
        Optional<Family.Page> found = family.page(top, after, limit);
        if (found.isEmpty()) {
            throw Page.badCursor(Page.AFTER);
        }
        Family.Page shown = found.get();
        List<JsonValue> items = new ArrayList<>();
        for (Family.Member member : shown.members()) {
            Optional<RunRow> row = Optional.ofNullable(shown.rows().get(member.run()));
            items.add(ChildJson.member(member, row, shown.isAlone(member)));
        }
        Optional<String> next = shown.next().map(place -> Page.cursor(place.toString()));
        JsonObject page = new Page(items, next).toJson();
        JsonObject.Builder json =
                JsonObject.builder().put("executionId", id.toString()).put("rootExecutionId", top.toString());
        page.members().forEach(json::put);
        return Reply.json(200, json.build());
    }

    private static Optional<FamilyPlace> after(Call call) throws ProblemException {
        try {
            return Page.key(call.query(), Page.AFTER).map(FamilyPlace::parse);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }
}
