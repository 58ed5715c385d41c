package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.template.WorkflowTemplates.Change;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.WorkflowTemplateDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.template.Drafting;
import dev.flowstone.server.template.WorkflowTemplateDesk;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Workflow templates, and drafts made of them (dataflow.md §13.5). Official ones are changed by who runs the installation. */
final class WorkflowTemplateRoutes {
    static final String ROOT = "/api/v1/templates/workflows";
    private static final String ONE = ROOT + "/{" + WorkflowTemplateForm.ID + "}";
    private static final String VERSION = "version";

    private final WorkflowTemplates templates;
    private final Drafting drafting;
    private final TemplateInstantiation instantiation;

    WorkflowTemplateRoutes(WorkflowTemplateDesk desk) {
        this.templates = requireNonNull(desk.templates());
        this.drafting = requireNonNull(desk.drafting());
        this.instantiation = new TemplateInstantiation(desk);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.TEMPLATES_READ, WorkflowTemplateDocs.LIST, this::list),
                Route.post(ROOT, Scope.TEMPLATES_MANAGE, WorkflowTemplateDocs.CREATE, BodyRule.REQUIRED, this::create),
                Route.get(ONE, Scope.TEMPLATES_READ, WorkflowTemplateDocs.SHOW, this::show),
                Route.post(
                        ONE + "/versions",
                        Scope.TEMPLATES_MANAGE,
                        WorkflowTemplateDocs.WRITE,
                        BodyRule.REQUIRED,
                        this::write),
                Route.post(
                        ONE + "/enable",
                        Scope.TEMPLATES_MANAGE,
                        WorkflowTemplateDocs.ENABLE,
                        BodyRule.NONE,
                        call -> enable(call, true)),
                Route.post(
                        ONE + "/disable",
                        Scope.TEMPLATES_MANAGE,
                        WorkflowTemplateDocs.DISABLE,
                        BodyRule.NONE,
                        call -> enable(call, false)),
                Route.post(
                        ONE + "/instantiate",
                        Scope.WORKFLOWS_MANAGE,
                        WorkflowTemplateDocs.INSTANTIATE,
                        BodyRule.REQUIRED,
                        instantiation::instantiate));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        Optional<Boolean> official =
                call.query().text(WorkflowTemplateForm.OFFICIAL).isPresent()
                        ? Optional.of(call.query().flag(WorkflowTemplateForm.OFFICIAL, true))
                        : Optional.empty();
        WorkflowTemplates.Filter filter = new WorkflowTemplates.Filter(
                call.query().text("category"), official, call.query().text("search"));
        List<WorkflowTemplateEntry> found = templates.list(call.tenant(), filter, after(call), limit + 1);
        List<JsonValue> items = found.stream()
                .limit(limit)
                .<JsonValue>map(WorkflowTemplateJson::entry)
                .toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(found.get(limit - 1).id().value()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static Optional<WorkflowTemplateId> after(Call call) throws ProblemException {
        try {
            return Page.key(call.query(), Page.AFTER).map(WorkflowTemplateId::new);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private Reply show(Call call) throws ProblemException, JournalException {
        return told(200, found(call, version(call)));
    }

    /** The version that a call asks for. */
    static Optional<Integer> version(Call call) throws ProblemException {
        return call.query().number(VERSION, 1, Integer.MAX_VALUE);
    }

    private Reply create(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object();
        WorkflowTemplateDraft draft = WorkflowTemplateForm.fresh(body);
        WorkflowTemplateId id = body.meaning(
                        WorkflowTemplateForm.ID, WorkflowTemplateForm.NAME, WorkflowTemplateId::new)
                .orElseThrow(() -> body.missing(WorkflowTemplateForm.ID));
        TenantId owner = owner(call, body.flag(WorkflowTemplateForm.OFFICIAL, false));
        WorkflowTemplateForm.refuse(body, "the template has", drafting.check(draft));
        return done(id, templates.create(owner, id, draft, call.caller().principal()))
                .header("Location", ROOT + "/" + id);
    }

    private Reply write(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object();
        WorkflowTemplateDraft draft = WorkflowTemplateForm.next(body);
        WorkflowTemplate there = found(call, Optional.empty());
        TenantId owner = owner(call, there.official());
        WorkflowTemplateForm.refuse(body, "the template has", drafting.check(draft));
        return done(
                        there.id(),
                        templates.write(
                                owner,
                                there.id(),
                                draft,
                                call.expectedRevision(),
                                call.caller().principal()))
                .header("Location", ROOT + "/" + there.id());
    }

    private Reply enable(Call call, boolean enabled) throws ProblemException, JournalException {
        WorkflowTemplate there = found(call, Optional.empty());
        TenantId owner = owner(call, there.official());
        return done(
                there.id(),
                templates.enable(
                        owner,
                        there.id(),
                        enabled,
                        call.expectedRevision(),
                        call.caller().principal()));
    }

    /** Whose the template is that is to be made or changed, if the caller may. */
    private static TenantId owner(Call call, boolean official) throws ProblemException {
        if (!official && !call.tenant().equals(WorkflowTemplates.HOUSE)) {
            return call.tenant();
        }
        if (!call.caller().scopes().contains(Scope.CONTROL_SYSTEM)) {
            throw Problem.of(
                            ProblemCode.FORBIDDEN,
                            "official templates are every tenant's: to make or change one takes the scope "
                                    + Scope.CONTROL_SYSTEM + "; make one of your own under another id")
                    .exception();
        }
        return WorkflowTemplates.HOUSE;
    }

    private WorkflowTemplate found(Call call, Optional<Integer> number) throws ProblemException, JournalException {
        return found(templates, call, number);
    }

    /** The template that the path names, in that version or the newest. */
    static WorkflowTemplate found(WorkflowTemplates templates, Call call, Optional<Integer> number)
            throws ProblemException, JournalException {
        String named = call.variable(WorkflowTemplateForm.ID);
        try {
            OptionalInt version = number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
            Optional<WorkflowTemplate> template = templates.find(call.tenant(), new WorkflowTemplateId(named), version);
            if (template.isPresent()) {
                return template.get();
            }
        } catch (IllegalArgumentException e) {
            // There is none of such a name.
        }
        throw unknown(named + number.map(it -> ", version " + it).orElse(""));
    }

    private static ProblemException unknown(String named) {
        return Problem.of(
                        ProblemCode.WORKFLOW_TEMPLATE_NOT_FOUND,
                        "there is no workflow template '" + Cut.text(named) + "'; GET " + ROOT + " lists them")
                .exception();
    }

    private static Reply done(WorkflowTemplateId id, Change change) throws ProblemException {
        return switch (change) {
            case Change.Made(boolean created, WorkflowTemplate template) -> told(created ? 201 : 200, template);
            case Change.Unknown() -> throw unknown(id.value());
            case Change.Taken() ->
                throw Problem.of(
                                ProblemCode.INVALID_STATE,
                                "there is a workflow template '" + id + "', which says otherwise; POST " + ROOT + "/"
                                        + id + "/versions writes its next version")
                        .exception();
            case Change.Official() ->
                throw Problem.of(
                                ProblemCode.INVALID_STATE,
                                "workflow template '" + id + "' is official; choose another id for one of your own")
                        .exception();
            case Change.TooMany() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "there are at most " + WorkflowTemplates.MOST + " workflow templates, each of at most "
                                        + WorkflowTemplates.MOST_VERSIONS + " versions")
                        .exception();
            case Change.TooManyBytes() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "all workflow templates together have at most " + WorkflowTemplates.MOST_BYTES
                                        + " bytes, in all their versions; write less, or ask who runs Flowstone")
                        .exception();
            case Change.OtherRevision(long revision) ->
                throw Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "workflow template '" + id + "' is at revision " + revision
                                        + ", not at that of If-Match; read it again, then decide again")
                        .exception();
        };
    }

    private static Reply told(int status, WorkflowTemplate template) {
        return Reply.json(status, WorkflowTemplateJson.template(template))
                .header("ETag", "\"r" + template.revision() + "\"");
    }
}
