package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.Templates.SetChange;
import dev.flowstone.kernel.id.TenantId;
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
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sets of document templates (dataflow.md §3.8). One that every tenant may use is changed by who runs the installation. */
final class TemplateSetRoutes {
    static final String ROOT = "/api/v1/templates/sets";
    static final String SET = "set";

    private static final String ONE = ROOT + "/{" + SET + "}";
    private static final String ID = "id";
    private static final String DISPLAY_NAME = "displayName";
    private static final String TEAM = "team";
    private static final String SHARED = "shared";
    private static final String HIDES = "hides";
    private static final String ENABLED = "isEnabled";

    private final Templates templates;

    TemplateSetRoutes(Templates templates) {
        this.templates = requireNonNull(templates);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.TEMPLATES_READ, TemplateDocs.LIST_SETS, this::list),
                Route.post(ROOT, Scope.TEMPLATES_MANAGE, TemplateDocs.CREATE_SET, BodyRule.REQUIRED, this::create),
                Route.get(ONE, Scope.TEMPLATES_READ, TemplateDocs.SHOW_SET, this::show),
                Route.put(ONE, Scope.TEMPLATES_MANAGE, TemplateDocs.UPDATE_SET, BodyRule.REQUIRED, this::update),
                Route.delete(ONE, Scope.TEMPLATES_MANAGE, TemplateDocs.REMOVE_SET, this::remove));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        Optional<TemplateSetId> after = Page.key(call.query(), Page.AFTER).isEmpty()
                ? Optional.empty()
                : Optional.of(cursor(Page.key(call.query(), Page.AFTER).get()));
        List<TemplateSet> found = templates.sets(call.tenant(), call.query().text(TEAM), after, limit + 1);
        List<JsonValue> items =
                found.stream().limit(limit).<JsonValue>map(TemplateJson::set).toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(found.get(limit - 1).id().value()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static TemplateSetId cursor(String key) throws ProblemException {
        try {
            return new TemplateSetId(key);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private Reply create(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object().only(Set.of(ID, DISPLAY_NAME, TEAM, SHARED, HIDES));
        TemplateSetId id =
                body.meaning(ID, TemplateForm.NAME, TemplateSetId::new).orElseThrow(() -> body.missing(ID));
        String displayName = body.requiredText(DISPLAY_NAME, TemplateForm.NAME);
        String team = body.requiredText(TEAM, TemplateForm.NAME);
        TenantId owner = owner(call, body.flag(SHARED, false));
        SetChange change = templates.create(
                owner,
                id,
                displayName,
                team,
                body.flag(HIDES, false),
                call.caller().principal());
        return done(id, change).header("Location", ROOT + "/" + id);
    }

    private Reply show(Call call) throws ProblemException, JournalException {
        return told(200, found(templates, call));
    }

    private Reply update(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object().only(Set.of(DISPLAY_NAME, TEAM, ENABLED));
        Templates.SetWish wish = new Templates.SetWish(
                body.text(DISPLAY_NAME, TemplateForm.NAME),
                body.text(TEAM, TemplateForm.NAME),
                body.value(ENABLED).isEmpty() ? Optional.empty() : Optional.of(body.flag(ENABLED, true)));
        TemplateSet there = found(templates, call);
        TenantId owner = owner(call, there.shared());
        SetChange change = templates.update(
                owner, there.id(), wish, call.expectedRevision(), call.caller().principal());
        return done(there.id(), change);
    }

    private Reply remove(Call call) throws ProblemException, JournalException {
        TemplateSet there = found(templates, call);
        TenantId owner = owner(call, there.shared());
        return switch (templates.remove(owner, there.id())) {
            case REMOVED -> Reply.nothing();
            case UNKNOWN -> throw unknown(there.id().value());
            case IN_USE ->
                throw Problem.of(
                                ProblemCode.INVALID_STATE,
                                "template set '" + there.id()
                                        + "' has templates, which stay for good; turn it off: PUT " + ROOT + "/"
                                        + there.id() + " with \"isEnabled\": false")
                        .exception();
        };
    }

    /** Whose the set is that is to be changed, if the caller may. */
    static TenantId owner(Call call, boolean shared) throws ProblemException {
        if (!shared && !call.tenant().equals(Templates.EVERYBODY)) {
            return call.tenant();
        }
        if (!call.caller().scopes().contains(Scope.CONTROL_SYSTEM)) {
            throw Problem.of(
                            ProblemCode.FORBIDDEN,
                            "this set is every tenant's: to change it takes the scope " + Scope.CONTROL_SYSTEM
                                    + "; make a set of your own under another id")
                    .exception();
        }
        return Templates.EVERYBODY;
    }

    /** The set that the path names. */
    static TemplateSet found(Templates templates, Call call) throws ProblemException, JournalException {
        String named = call.variable(SET);
        try {
            Optional<TemplateSet> set = templates.set(call.tenant(), new TemplateSetId(named));
            if (set.isPresent()) {
                return set.get();
            }
        } catch (IllegalArgumentException e) {
            // There is none of such a name.
        }
        throw unknown(named);
    }

    static ProblemException unknown(String named) {
        return Problem.of(
                        ProblemCode.TEMPLATE_SET_NOT_FOUND,
                        "there is no template set '" + Cut.text(named) + "'; POST " + ROOT + " makes one")
                .exception();
    }

    private static Reply done(TemplateSetId id, SetChange change) throws ProblemException {
        return switch (change) {
            case SetChange.Made(boolean created, TemplateSet set) -> told(created ? 201 : 200, set);
            case SetChange.Unknown() -> throw unknown(id.value());
            case SetChange.Taken() ->
                throw Problem.of(
                                ProblemCode.INVALID_STATE,
                                "there is a template set '" + id + "', which says otherwise; PUT " + ROOT + "/" + id
                                        + " changes it")
                        .exception();
            case SetChange.WouldHide() ->
                throw Problem.of(
                                ProblemCode.INVALID_STATE,
                                "template set '" + id + "' is every tenant's: one of your own hides it and all its"
                                        + " templates here; choose another id, or say \"hides\": true")
                        .exception();
            case SetChange.TooMany() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "there are " + Templates.MOST_SETS + " template sets, and may be no more")
                        .exception();
            case SetChange.OtherRevision(long revision) ->
                throw Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "template set '" + id + "' is at revision " + revision
                                        + ", not at that of If-Match; read it again, then decide again")
                        .exception();
        };
    }

    private static Reply told(int status, TemplateSet set) {
        return Reply.json(status, TemplateJson.set(set)).header("ETag", "\"r" + set.revision() + "\"");
    }
}
