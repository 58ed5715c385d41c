package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.CatalogConnector;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.server.api.doc.CatalogDocs;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Optional;

/** Connectors of the catalog (dataflow.md §13.4), which are those of all tenants; an operator turns one off for all of them. */
final class ConnectorRoutes {
    private static final String ROOT = "/api/v1/connectors";
    private static final String ONE = ROOT + "/{" + CatalogEntries.ID + "}";

    private final ActionDesk desk;
    private final CatalogEntries<CatalogConnector> entries;

    ConnectorRoutes(ActionDesk desk) {
        this.desk = requireNonNull(desk);
        this.entries = new CatalogEntries<>(
                desk,
                Subject.Kind.CONNECTOR,
                ROOT,
                ProblemCode.CONNECTOR_NOT_FOUND,
                desk.catalog()::connector,
                CatalogConnector::state,
                CatalogJson::connector);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.WORKFLOWS_READ, CatalogDocs.CONNECTORS, this::list),
                Route.get(ONE, Scope.WORKFLOWS_READ, CatalogDocs.CONNECTOR, entries::told),
                Route.get(ONE + "/actions", Scope.WORKFLOWS_READ, CatalogDocs.CONNECTOR_ACTIONS, this::actions),
                Route.post(
                        ONE + "/enable",
                        Scope.CONTROL_SYSTEM,
                        CatalogDocs.ENABLE_CONNECTOR,
                        BodyRule.OPTIONAL,
                        call -> entries.turned(call, true)),
                Route.post(
                        ONE + "/disable",
                        Scope.CONTROL_SYSTEM,
                        CatalogDocs.DISABLE_CONNECTOR,
                        BodyRule.OPTIONAL,
                        call -> entries.turned(call, false)));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        List<CatalogConnector> found = desk.catalog().connectors(CatalogPages.after(call), limit + 1);
        return CatalogPages.page(found, limit, it -> it.connector().id(), it -> CatalogJson.entry(it, call.caller()));
    }

    private Reply actions(Call call) throws ProblemException, JournalException {
        CatalogConnector connector = entries.found(call);
        Catalog.Filter filter = new Catalog.Filter(
                Optional.of(connector.connector().id()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return ActionRoutes.page(desk, call, filter);
    }
}
