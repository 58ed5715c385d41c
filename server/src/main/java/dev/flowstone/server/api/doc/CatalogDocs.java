package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;

/** Of connectors and actions. */
public final class CatalogDocs {
    private static final int NAME = 200;
    private static final Parameter CONNECTOR_ID = Parameter.text("id", NAME, "The connector's id.");
    private static final Parameter ACTION_ID = Parameter.text("id", NAME, "The action's id.");

    public static final Doc CONNECTORS = Doc.of("listConnectors", Area.ACTIONS, "Lists connectors by id")
            .paged()
            .answers(200, "ConnectorEntryPage", "A page of them.");

    public static final Doc CONNECTOR = ofConnector("getConnector", "Tells a connector")
            .answers(200, "Connector", "The connector.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc CONNECTOR_ACTIONS = ofConnector("listConnectorActions", "Lists a connector's actions by id")
            .paged()
            .answers(200, "ActionEntryPage", "A page of them.");

    public static final Doc ENABLE_CONNECTOR = switching(
                    ofConnector("enableConnector", "Turns a connector on, for all tenants"))
            .answers(200, "Connector", "It is on.");

    public static final Doc DISABLE_CONNECTOR = switching(
                    ofConnector("disableConnector", "Turns a connector off with all its actions, for all tenants"))
            .answers(200, "Connector", "It is off.");

    public static final Doc ACTIONS = Doc.of("listActions", Area.ACTIONS, "Lists actions by id")
            .query(
                    Parameter.text("connectorId", NAME, "Only those of this connector."),
                    Parameter.text("category", NAME, "Only those of this category, in whichever case."),
                    Parameter.text("tag", NAME, "Only those that have this tag."),
                    Parameter.text(
                            "search",
                            NAME,
                            "Only those that have this in their id, name, description or tags, in whichever case."),
                    Parameter.flag(
                            "isEnabled",
                            "Only those that new versions of workflows may name, or those that they may not."))
            .paged()
            .answers(200, "ActionEntryPage", "A page of them.");

    public static final Doc ACTION = ofAction("getAction", "Tells an action, with its schemas")
            .answers(200, "CatalogAction", "The action.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc ENABLE_ACTION = switching(ofAction("enableAction", "Turns an action on, for all tenants"))
            .answers(200, "CatalogAction", "It is on.");

    public static final Doc DISABLE_ACTION = switching(
                    ofAction("disableAction", "Turns an action off, for all tenants: it is neither published nor run"))
            .answers(200, "CatalogAction", "It is off.");

    private CatalogDocs() {}

    private static Doc ofConnector(String operation, String summary) {
        return Doc.of(operation, Area.ACTIONS, summary).path(CONNECTOR_ID).refuses(ProblemCode.CONNECTOR_NOT_FOUND);
    }

    private static Doc ofAction(String operation, String summary) {
        return Doc.of(operation, Area.ACTIONS, summary).path(ACTION_ID).refuses(ProblemCode.ACTION_NOT_FOUND);
    }

    private static Doc switching(Doc doc) {
        return doc.takes("CatalogSwitch").tagged(Doc.Version.REVISION).refuses(ProblemCode.PRECONDITION_FAILED);
    }
}
