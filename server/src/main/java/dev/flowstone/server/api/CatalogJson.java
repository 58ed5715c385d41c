package dev.flowstone.server.api;

import dev.flowstone.engine.catalog.CatalogAction;
import dev.flowstone.engine.catalog.CatalogConnector;
import dev.flowstone.engine.catalog.OfferedAction;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.SwitchState;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Optional;

/** Connectors and actions in answers. */
final class CatalogJson {
    private CatalogJson() {}

    /** As a list has it. */
    static JsonObject entry(CatalogConnector entry, Caller reader) {
        return builder(entry, reader).build();
    }

    /** With its schema. */
    static JsonObject connector(CatalogConnector entry, Caller reader) {
        return builder(entry, reader)
                .put(
                        "configSchema",
                        entry.connector()
                                .configSchema()
                                .<JsonValue>map(it -> it)
                                .orElse(JsonNull.NULL))
                .build();
    }

    private static JsonObject.Builder builder(CatalogConnector entry, Caller reader) {
        OfferedConnector connector = entry.connector();
        return JsonObject.builder()
                .put("id", connector.id())
                .put("displayName", connector.displayName())
                .put("description", connector.description())
                .put("version", connector.version())
                .put("iconUrl", text(connector.iconUrl()))
                .put("documentationUrl", text(connector.documentationUrl()))
                .put("requiresAuth", connector.requiresAuth())
                .put("authType", text(connector.authType()))
                .put("capabilities", texts(connector.capabilities()))
                .put("isEnabled", entry.isEnabled())
                .put("isRegistered", entry.registered())
                .put("switch", state(entry.state(), reader))
                .put("createdAt", entry.created().toString());
    }

    /** As a list has it. */
    static JsonObject entry(CatalogAction entry, Caller reader) {
        return builder(entry, reader).build();
    }

    /** With its schemas. */
    static JsonObject action(CatalogAction entry, Caller reader) {
        return builder(entry, reader)
                .put("parameterSchema", entry.action().parameterSchema())
                .put("outputSchema", entry.action().outputSchema())
                .build();
    }

    private static JsonObject.Builder builder(CatalogAction entry, Caller reader) {
        OfferedAction action = entry.action();
        return JsonObject.builder()
                .put("id", action.id())
                .put("displayName", action.displayName())
                .put("description", action.description())
                .put("category", action.category())
                .put("connectorId", action.connector())
                .put("version", action.version())
                .put("tags", texts(action.tags()))
                .put("deprecation", deprecation(action))
                .put("isEnabled", entry.isEnabled())
                .put("isRegistered", entry.registered())
                .put("switch", state(entry.state(), reader))
                .put("createdAt", entry.created().toString());
    }

    private static JsonValue deprecation(OfferedAction action) {
        return action.deprecation()
                .<JsonValue>map(notice -> JsonObject.builder()
                        .put("message", notice)
                        .put("since", text(action.deprecatedSince()))
                        .build())
                .orElse(JsonNull.NULL);
    }

    /** Who turned it off and why is for who runs the installation: an operator may name a tenant, and each tenant reads the catalog. */
    private static JsonObject state(SwitchState state, Caller reader) {
        Optional<SwitchState.Change> change = state.change();
        Optional<SwitchState.Change> said = change.filter(_ -> reader.scopes().contains(Scope.CONTROL_SYSTEM));
        return JsonObject.builder()
                .put("on", JsonBoolean.of(state.on()))
                .put("revision", state.revision())
                .put("changedAt", text(change.map(it -> it.at().toString())))
                .put("changedBy", text(said.map(it -> it.by().toString())))
                .put("reason", text(said.flatMap(SwitchState.Change::reason)))
                .build();
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static JsonArray texts(List<String> texts) {
        return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
    }
}
