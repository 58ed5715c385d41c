package dev.flowstone.server.api;

import static dev.flowstone.server.api.Stage.get;
import static dev.flowstone.server.api.Stage.post;

import dev.flowstone.server.api.RefusedCalls.RefusedCall;
import java.util.List;

/** The same of the catalog of connectors and actions. */
final class RefusedCatalogCalls {
    private static final String NO_CONNECTOR = "CONNECTOR_NOT_FOUND";
    private static final String NO_ACTION = "ACTION_NOT_FOUND";
    private static final String CONNECTOR = "/api/v1/connectors/acme";
    private static final String ACTION = "/api/v1/actions/core";

    private RefusedCatalogCalls() {}

    static List<RefusedCall> all() {
        return List.of(
                new RefusedCall("getConnector", NO_CONNECTOR, _ -> get(CONNECTOR)),
                new RefusedCall("listConnectorActions", NO_CONNECTOR, _ -> get(CONNECTOR + "/actions")),
                new RefusedCall("enableConnector", NO_CONNECTOR, _ -> post(CONNECTOR + "/enable", "")),
                new RefusedCall("disableConnector", NO_CONNECTOR, _ -> post(CONNECTOR + "/disable", "")),
                new RefusedCall("getAction", NO_ACTION, _ -> get(ACTION + "%00")),
                new RefusedCall("enableAction", NO_ACTION, _ -> post(ACTION + "/enable", "")),
                new RefusedCall("disableAction", NO_ACTION, _ -> post(ACTION + "/disable", "{'reason':'x'}")));
    }
}
