package dev.flowstone.server.api;

import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** Workflow templates as the API shows them. */
final class WorkflowTemplateJson {
    private WorkflowTemplateJson() {}

    static JsonObject entry(WorkflowTemplateEntry entry) {
        return JsonObject.builder()
                .put("id", entry.id().value())
                .put("displayName", entry.displayName())
                .put("description", entry.description())
                .put("category", entry.category())
                .put("thumbnailUrl", text(entry.thumbnail()))
                .put("author", text(entry.author()))
                .put("isOfficial", entry.official())
                .put("tags", texts(entry.tags()))
                .put("isEnabled", entry.enabled())
                .put("latestVersion", entry.latest())
                .put("revision", entry.revision())
                .put("createdAt", entry.created().at().toString())
                .put("createdBy", entry.created().by().toString())
                .put("updatedAt", entry.changed().at().toString())
                .put("updatedBy", entry.changed().by().toString())
                .build();
    }

    static JsonObject template(WorkflowTemplate template) {
        JsonObject.Builder json = JsonObject.builder();
        entry(template.entry()).members().forEach(json::put);
        return json.put("version", template.version())
                .put("definition", template.draft().definition())
                .put("configSchema", template.draft().configSchema())
                .put("writtenAt", template.written().at().toString())
                .put("writtenBy", template.written().by().toString())
                .build();
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static JsonArray texts(List<String> texts) {
        return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
    }
}
