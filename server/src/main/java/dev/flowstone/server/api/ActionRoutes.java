package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.CatalogAction;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.server.api.doc.CatalogDocs;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Optional;

/** Actions of the catalog (dataflow.md §13.4), which are those of all tenants; an operator turns one off for all of them. */
final class ActionRoutes {
    private static final String ROOT = "/api/v1/actions";
    private static final String ONE = ROOT + "/{" + CatalogEntries.ID + "}";
    private static final String ENABLED = "isEnabled";

    private final ActionDesk desk;
    private final CatalogEntries<CatalogAction> entries;

    ActionRoutes(ActionDesk desk) {
        this.desk = requireNonNull(desk);
        this.entries = new CatalogEntries<>(
                desk,
                Subject.Kind.ACTION,
                ROOT,
                ProblemCode.ACTION_NOT_FOUND,
                desk.catalog()::action,
                CatalogAction::state,
                CatalogJson::action);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.WORKFLOWS_READ, CatalogDocs.ACTIONS, call -> page(desk, call, filter(call))),
                Route.get(ONE, Scope.WORKFLOWS_READ, CatalogDocs.ACTION, entries::told),
                Route.post(
                        ONE + "/enable",
                        Scope.CONTROL_SYSTEM,
                        CatalogDocs.ENABLE_ACTION,
                        BodyRule.OPTIONAL,
                        call -> entries.turned(call, true)),
                Route.post(
                        ONE + "/disable",
                        Scope.CONTROL_SYSTEM,
                        CatalogDocs.DISABLE_ACTION,
                        BodyRule.OPTIONAL,
                        call -> entries.turned(call, false)));
    }

    private static Catalog.Filter filter(Call call) throws ProblemException {
        Query query = call.query();
        return new Catalog.Filter(
                given(query, "connectorId"),
                given(query, "category"),
                given(query, "tag"),
                given(query, "search"),
                query.text(ENABLED).isEmpty() ? Optional.empty() : Optional.of(query.flag(ENABLED, true)));
    }

    private static Optional<String> given(Query query, String name) {
        return query.text(name).filter(it -> !it.isBlank());
    }

    static Reply page(ActionDesk desk, Call call, Catalog.Filter filter) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        List<CatalogAction> found = desk.catalog().actions(filter, CatalogPages.after(call), limit + 1);
        return CatalogPages.page(found, limit, it -> it.action().id(), it -> CatalogJson.entry(it, call.caller()));
    }
}
