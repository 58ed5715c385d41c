package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.Published;
import dev.flowstone.engine.workflow.Saved;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.WorkflowDocs;
import dev.flowstone.server.definition.PublishLints;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fault;
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
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Definitions: drafts, versions, archive (dataflow.md §13.3). */
public final class WorkflowRoutes {
    private static final String ROOT = "/api/v1/workflows";
    private static final String ONE = ROOT + "/{id}";

    /** Rows that one call looks at for a search; the cursor goes on from there. */
    private static final int SEARCHED = 1_000;

    private final Workflows workflows;
    private final PublishLints lints;

    public WorkflowRoutes(Workflows workflows, PublishLints lints) {
        this.workflows = requireNonNull(workflows);
        this.lints = requireNonNull(lints);
    }

    public List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.WORKFLOWS_READ, WorkflowDocs.LIST, this::list),
                Route.post(ROOT, Scope.WORKFLOWS_MANAGE, WorkflowDocs.SAVE, BodyRule.REQUIRED, this::save),
                Route.get(ONE, Scope.WORKFLOWS_READ, WorkflowDocs.READ, this::read),
                Route.get(ONE + "/versions", Scope.WORKFLOWS_READ, WorkflowDocs.VERSIONS, this::versions),
                Route.delete(ONE, Scope.WORKFLOWS_MANAGE, WorkflowDocs.DELETE, this::delete),
                Route.post(
                        ONE + "/draft",
                        Scope.WORKFLOWS_MANAGE,
                        WorkflowDocs.OPEN_DRAFT,
                        BodyRule.OPTIONAL,
                        this::openDraft),
                Route.delete(ONE + "/draft", Scope.WORKFLOWS_MANAGE, WorkflowDocs.DISCARD_DRAFT, this::discardDraft),
                Route.post(
                        ONE + "/publish", Scope.WORKFLOWS_MANAGE, WorkflowDocs.PUBLISH, BodyRule.NONE, this::publish),
                Route.post(
                        ONE + "/archive", Scope.WORKFLOWS_MANAGE, WorkflowDocs.ARCHIVE, BodyRule.NONE, this::archive),
                Route.post(
                        ONE + "/reactivate",
                        Scope.WORKFLOWS_MANAGE,
                        WorkflowDocs.REACTIVATE,
                        BodyRule.NONE,
                        this::reactivate));
    }

    private Reply save(Call call) throws ProblemException, JournalException {
        return saved(Answers.done(
                call, workflows.save(call.tenant(), call.requiredBody().bytes(), call.expectedRevision())));
    }

    private Reply openDraft(Call call) throws ProblemException, JournalException {
        WorkflowId id = Answers.workflow(call);
        return saved(Answers.done(
                call,
                call.body().isPresent()
                        ? workflows.openDraft(
                                call.tenant(), id, call.requiredBody().bytes(), call.expectedRevision())
                        : workflows.openDraft(call.tenant(), id, call.expectedRevision())));
    }

    private static Reply saved(Saved saved) {
        return one(saved.created() ? 201 : 200, saved.row(), WorkflowJson.row(saved.row()))
                .header("Location", ROOT + "/" + saved.row().id());
    }

    private Reply publish(Call call) throws ProblemException, JournalException {
        boolean activate = call.query().flag("autoActivate", true);
        Published published = Answers.done(
                call, workflows.publish(call.tenant(), Answers.workflow(call), activate, call.expectedRevision()));
        WorkflowRow row = published.row();
        JsonObject json = JsonObject.builder()
                .put("workflowId", row.id().value())
                .put("version", published.version())
                .put("status", WorkflowJson.status(row.status()))
                .put("created", published.created())
                .put("warnings", new JsonArray(warnings(row, published.version())))
                .build();
        return one(200, row, json);
    }

    private List<JsonValue> warnings(WorkflowRow row, int number) throws JournalException {
        Optional<WorkflowVersion> version = workflows.version(row.tenant(), row.id(), number);
        return version.isEmpty()
                ? List.of()
                : lints.of(version.get()).stream()
                        .map(Answers::fault)
                        .<JsonValue>map(Fault::toJson)
                        .toList();
    }

    private Reply archive(Call call) throws ProblemException, JournalException {
        return turned(
                Answers.done(call, workflows.archive(call.tenant(), Answers.workflow(call), call.expectedRevision())));
    }

    private Reply reactivate(Call call) throws ProblemException, JournalException {
        return turned(Answers.done(
                call, workflows.reactivate(call.tenant(), Answers.workflow(call), call.expectedRevision())));
    }

    private static Reply turned(WorkflowRow row) {
        JsonObject json = JsonObject.builder()
                .put("workflowId", row.id().value())
                .put("status", WorkflowJson.status(row.status()))
                .build();
        return one(200, row, json);
    }

    private Reply discardDraft(Call call) throws ProblemException, JournalException {
        WorkflowRow row = Answers.done(
                call, workflows.discardDraft(call.tenant(), Answers.workflow(call), call.expectedRevision()));
        return one(200, row, WorkflowJson.row(row));
    }

    private Reply delete(Call call) throws ProblemException, JournalException {
        Answers.done(call, workflows.delete(call.tenant(), Answers.workflow(call), call.expectedRevision()));
        return Reply.nothing();
    }

    private Reply read(Call call) throws ProblemException, JournalException {
        WorkflowId id = Answers.workflow(call);
        WorkflowRow row = workflows.find(call.tenant(), id).orElseThrow(() -> Answers.unknown(id));
        Optional<String> asked = call.query().text("version");
        boolean draft = asked.isPresent() ? asked.get().equals(WorkflowDocs.DRAFT) : row.currentVersion() == 0;
        if (draft) {
            byte[] source = row.draft().orElseThrow(() -> noVersion("no draft is open"));
            return one(200, row, WorkflowJson.draft(row, source));
        }
        int number = asked.isPresent()
                ? call.query().number("version", 1, WorkflowDocs.MOST_VERSIONS).orElseThrow()
                : row.currentVersion();
        WorkflowVersion version = workflows
                .version(call.tenant(), id, number)
                .orElseThrow(() -> noVersion("the workflow has no version " + number));
        return one(200, row, WorkflowJson.version(row, version));
    }

    private Reply versions(Call call) throws ProblemException, JournalException {
        WorkflowId id = Answers.workflow(call);
        int limit = Page.limit(call.query());
        Optional<Long> before = Page.number(call.query(), Page.AFTER);
        WorkflowRow row = workflows.find(call.tenant(), id).orElseThrow(() -> Answers.unknown(id));
        OptionalInt from = before.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.min(before.get(), WorkflowDocs.MOST_VERSIONS + 1L));
        List<WorkflowVersionEntry> found = workflows.versions(call.tenant(), id, from, limit + 1);
        List<JsonValue> items = found.stream()
                .limit(limit)
                .<JsonValue>map(each -> WorkflowJson.entry(row, each))
                .toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(Integer.toString(found.get(limit - 1).version())))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static ProblemException noVersion(String detail) {
        return Problem.of(ProblemCode.VERSION_NOT_FOUND, detail).exception();
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        Answers.ownTenant(call, call.query().text("tenantId"));
        int limit = Page.limit(call.query());
        Optional<WorkflowStatus> status = call.query().text("status").flatMap(WorkflowJson::status);
        Optional<Boolean> enabled = call.query().text("isEnabled").isPresent()
                ? Optional.of(call.query().flag("isEnabled", true))
                : Optional.empty();
        String search = call.query().text("search").orElse("").toLowerCase(Locale.ROOT);
        Optional<WorkflowId> after = after(call.query());
        List<JsonValue> items = new ArrayList<>();
        boolean more = true;
        for (int looked = 0; more && items.size() < limit && looked < SEARCHED; ) {
            List<WorkflowRow> rows = workflows.list(call.tenant(), status, after, Page.MOST);
            more = rows.size() == Page.MOST;
            for (WorkflowRow row : rows) {
                if (items.size() == limit) {
                    more = true;
                    break;
                }
                looked++;
                after = Optional.of(row.id());
                if (found(row, search) && enabled.map(it -> it == row.enabled()).orElse(true)) {
                    items.add(WorkflowJson.row(row));
                }
            }
        }
        Optional<String> next = more ? after.map(id -> Page.cursor(id.value())) : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static boolean found(WorkflowRow row, String search) {
        return row.id().value().toLowerCase(Locale.ROOT).contains(search)
                || row.displayName().toLowerCase(Locale.ROOT).contains(search);
    }

    private static Optional<WorkflowId> after(Query query) throws ProblemException {
        Optional<String> key = Page.key(query, Page.AFTER);
        try {
            return key.map(WorkflowId::new);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private static Reply one(int status, WorkflowRow row, JsonObject json) {
        return Reply.json(status, json).etag(WorkflowJson.etag(row));
    }
}
