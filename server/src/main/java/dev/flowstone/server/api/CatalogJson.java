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
import java.util.List;
import java.util.Optional;

/** Connectors and actions in answers. */
final class CatalogJson {
    private CatalogJson() {}

    static JsonObject connector(CatalogConnector entry) {
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
                .put(
                        "configSchema",
                        connector.configSchema().<JsonValue>map(it -> it).orElse(JsonNull.NULL))
                .put("capabilities", texts(connector.capabilities()))
                .put("isEnabled", entry.isEnabled())
                .put("isRegistered", entry.registered())
                .put("switch", state(entry.state()))
                .put("createdAt", entry.created().toString())
                .build();
    }

    /** As a list has it. */
    static JsonObject entry(CatalogAction entry) {
        return entryBuilder(entry).build();
    }

    /** With its schemas. */
    static JsonObject action(CatalogAction entry) {
        return entryBuilder(entry)
                .put("parameterSchema", entry.action().parameterSchema())
                .put("outputSchema", entry.action().outputSchema())
                .build();
    }

    private static JsonObject.Builder entryBuilder(CatalogAction entry) {
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
                .put("switch", state(entry.state()))
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

    private static JsonObject state(SwitchState state) {
        Optional<SwitchState.Change> change = state.change();
        return JsonObject.builder()
                .put("on", JsonBoolean.of(state.on()))
                .put("revision", state.revision())
                .put("changedAt", text(change.map(it -> it.at().toString())))
                .put("changedBy", text(change.map(it -> it.by().toString())))
                .put("reason", text(change.flatMap(SwitchState.Change::reason)))
                .build();
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static JsonArray texts(List<String> texts) {
        return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
    }
}
