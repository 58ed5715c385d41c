package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateEntry;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.TemplateVersionEntry;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.Templates.Written;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.TemplateDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.template.TemplateDesk;
import dev.flowstone.templates.DocumentTemplates;
import dev.flowstone.templates.DocumentTemplates.Document;
import dev.flowstone.templates.body.BodyFault;
import dev.flowstone.templates.fields.FieldFault;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Document templates: their versions, and rendering one by hand (dataflow.md §13.6). */
final class TemplateRoutes {
    private static final String ROOT = "/api/v1/templates";
    private static final String ID = "id";
    private static final String VERSION = "version";
    private static final String BY_ID = ROOT + "/{" + ID + "}";
    private static final String ONE = ROOT + "/{" + TemplateSetRoutes.SET + "}/{" + ID + "}";
    private static final String VERSIONS = ONE + "/versions";
    private static final String RENDER = "/render";
    private static final String ANSWERS = "answers";
    private static final String EXTRAS = "extras";
    private static final int CANDIDATES = 10;

    private final Templates templates;
    private final DocumentTemplates documents;

    TemplateRoutes(TemplateDesk desk) {
        this.templates = requireNonNull(desk.templates());
        this.documents = requireNonNull(desk.documents());
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.TEMPLATES_READ, TemplateDocs.LIST, this::list),
                Route.get(BY_ID, Scope.TEMPLATES_READ, TemplateDocs.SHOW_BY_ID, call -> show(call, byId(call))),
                Route.post(
                        BY_ID + RENDER,
                        Scope.TEMPLATES_READ,
                        TemplateDocs.RENDER_BY_ID,
                        BodyRule.OPTIONAL,
                        call -> render(call, this::byId)),
                Route.get(ONE, Scope.TEMPLATES_READ, TemplateDocs.SHOW, call -> show(call, name(call))),
                Route.post(
                        ONE + RENDER,
                        Scope.TEMPLATES_READ,
                        TemplateDocs.RENDER,
                        BodyRule.OPTIONAL,
                        call -> render(call, TemplateRoutes::name)),
                Route.get(VERSIONS, Scope.TEMPLATES_READ, TemplateDocs.VERSIONS, this::versions),
                Route.post(VERSIONS, Scope.TEMPLATES_MANAGE, TemplateDocs.WRITE, BodyRule.REQUIRED, this::write),
                Route.post(
                        VERSIONS + "/{version}/enable",
                        Scope.TEMPLATES_MANAGE,
                        TemplateDocs.ENABLE,
                        BodyRule.NONE,
                        call -> enable(call, true)),
                Route.post(
                        VERSIONS + "/{version}/disable",
                        Scope.TEMPLATES_MANAGE,
                        TemplateDocs.DISABLE,
                        BodyRule.NONE,
                        call -> enable(call, false)));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        Templates.Filter filter = new Templates.Filter(
                call.query().text("team"), call.query().meaning(TemplateSetRoutes.SET, TemplateSetId::new));
        List<TemplateEntry> found = templates.list(call.tenant(), filter, after(call.query()), limit + 1);
        List<JsonValue> items =
                found.stream().limit(limit).<JsonValue>map(TemplateJson::entry).toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(found.get(limit - 1).name().toString()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    /** The name that a cursor stands for. */
    private static Optional<TemplateName> after(Query query) throws ProblemException {
        Optional<String> key = Page.key(query, Page.AFTER);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        int slash = key.get().indexOf('/');
        try {
            return Optional.of(new TemplateName(
                    new TemplateSetId(key.get().substring(0, Math.max(0, slash))),
                    new TemplateId(key.get().substring(slash + 1))));
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private Reply show(Call call, TemplateName name) throws ProblemException, JournalException {
        return told(200, found(call, name));
    }

    private static Reply told(int status, TemplateVersion version) {
        return Reply.json(status, TemplateJson.version(version)).header("ETag", "\"r" + version.version() + "\"");
    }

    private Reply versions(Call call) throws ProblemException, JournalException {
        TemplateName name = name(call);
        int limit = Page.limit(call.query());
        Optional<Long> before = Page.number(call.query(), Page.AFTER);
        OptionalInt from = before.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.min(before.get(), Templates.MOST_VERSIONS + 1L));
        List<TemplateVersionEntry> found = templates.versions(call.tenant(), name, from, limit + 1);
        if (found.isEmpty() && before.isEmpty()) {
            throw unknown(name.toString());
        }
        List<JsonValue> items = found.stream()
                .limit(limit)
                .<JsonValue>map(TemplateJson::versionEntry)
                .toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(Integer.toString(found.get(limit - 1).version())))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private Reply write(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object();
        TemplateName name = named(call);
        boolean shared = TemplateSetRoutes.found(templates, call).shared();
        TemplateDraft draft = TemplateForm.draft(body);
        TemplateForm.refuse(body, "the template has", "", documents.check(draft));
        TenantId owner = TemplateSetRoutes.owner(call, shared);
        return switch (templates.write(
                owner, name, draft, call.expectedRevision(), call.caller().principal())) {
            case Written.Made(boolean created, TemplateVersion version) ->
                told(created ? 201 : 200, version)
                        .header("Location", ROOT + "/" + name + "?version=" + version.version());
            case Written.NoSet() -> throw TemplateSetRoutes.unknown(name.set().value());
            case Written.TooMany() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "a set has at most " + Templates.MOST_TEMPLATES + " templates, and a template "
                                        + Templates.MOST_VERSIONS + " versions; begin another one")
                        .exception();
            case Written.TooManyBytes() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "all templates together have at most " + Templates.MOST_BYTES
                                        + " bytes, in all their versions; write less, or ask who runs Flowstone")
                        .exception();
            case Written.OtherVersion(int newest) ->
                throw Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "the newest version of template '" + name + "' is " + newest
                                        + ", not that of If-Match; read it, then decide again")
                        .exception();
        };
    }

    /** Of a new template: a name that can't be one is told as that. */
    private static TemplateName named(Call call) throws ProblemException {
        try {
            return new TemplateName(
                    new TemplateSetId(call.variable(TemplateSetRoutes.SET)), new TemplateId(call.variable(ID)));
        } catch (IllegalArgumentException e) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, String.valueOf(e.getMessage()))
                    .exception();
        }
    }

    private Reply enable(Call call, boolean enabled) throws ProblemException, JournalException {
        TemplateName name = name(call);
        String number = call.variable(VERSION);
        Optional<TemplateVersion> there = number.matches("[1-9][0-9]{0,3}")
                ? templates.find(call.tenant(), name, OptionalInt.of(Integer.parseInt(number)))
                : Optional.empty();
        if (there.isEmpty()) {
            throw unknown(name + ", version " + Cut.text(number));
        }
        TenantId owner = TemplateSetRoutes.owner(call, there.get().shared());
        return Reply.json(
                200,
                TemplateJson.version(templates
                        .enable(
                                owner,
                                name,
                                there.get().version(),
                                enabled,
                                call.caller().principal())
                        .orElseThrow(() -> unknown(name.toString()))));
    }

    /** Which template a call names. */
    @FunctionalInterface
    private interface Naming {
        TemplateName of(Call call) throws ProblemException, JournalException;
    }

    private Reply render(Call call, Naming naming) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(ANSWERS, EXTRAS));
        JsonObject answers = body.object(ANSWERS).map(Fields::json).orElse(JsonObject.EMPTY);
        JsonObject extras = body.object(EXTRAS).map(Fields::json).orElse(JsonObject.EMPTY);
        TemplateName name = naming.of(call);
        TemplateVersion version = found(call, name);
        if (!version.enabled() || !version.setEnabled()) {
            throw Problem.of(
                            ProblemCode.INVALID_STATE,
                            "version " + version.version() + " of template '" + name
                                    + "' is off, or its set is; turn it on, or name another version")
                    .exception();
        }
        return switch (documents.render(version, answers, extras)) {
            case Document.Rendered(String text) ->
                Reply.json(
                        200,
                        JsonObject.builder()
                                .put("renderedBody", text)
                                .put("metadata", DocumentTemplates.metadata(version))
                                .build());
            case Document.WrongAnswers(List<FieldFault> faults) -> {
                TemplateForm.refuse(body, "the answers have", "/" + ANSWERS, faults);
                throw new IllegalStateException("wrong answers without a fault");
            }
            case Document.Failed(BodyFault fault) -> {
                FieldFault told =
                        new FieldFault(fault.code(), "", "the template's body, " + fault.sentence(), fault.remedy());
                TemplateForm.refuse(body, "the rendering has", "", List.of(told));
                throw new IllegalStateException("a failed rendering without a fault");
            }
        };
    }

    private TemplateVersion found(Call call, TemplateName name) throws ProblemException, JournalException {
        Optional<Integer> number = call.query().number(VERSION, 1, Templates.MOST_VERSIONS);
        OptionalInt version = number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
        return templates
                .find(call.tenant(), name, version)
                .orElseThrow(() -> unknown(name + (version.isPresent() ? ", version " + version.getAsInt() : "")));
    }

    private static TemplateName name(Call call) throws ProblemException {
        try {
            return new TemplateName(
                    new TemplateSetId(call.variable(TemplateSetRoutes.SET)), new TemplateId(call.variable(ID)));
        } catch (IllegalArgumentException e) {
            throw unknown(call.variable(TemplateSetRoutes.SET) + "/" + call.variable(ID));
        }
    }

    /** The one template of this id that there is, whatever its set. */
    private TemplateName byId(Call call) throws ProblemException, JournalException {
        TemplateId id;
        try {
            id = new TemplateId(call.variable(ID));
        } catch (IllegalArgumentException e) {
            throw unknown(call.variable(ID));
        }
        List<TemplateName> found = templates.named(call.tenant(), id, CANDIDATES);
        if (found.size() > 1) {
            throw Problem.of(
                            ProblemCode.TEMPLATE_AMBIGUOUS,
                            "templates '" + id + "' are in several sets; name one: "
                                    + found.stream()
                                            .map(name -> ROOT + "/" + name)
                                            .collect(Collectors.joining(", ")))
                    .exception();
        }
        if (found.isEmpty()) {
            throw unknown(id.value());
        }
        return found.getFirst();
    }

    private static ProblemException unknown(String named) {
        return Problem.of(
                        ProblemCode.WFENG004,
                        "there is no document template '" + Cut.text(named) + "', or it is off; POST " + VERSIONS
                                + " writes one")
                .exception();
    }
}
