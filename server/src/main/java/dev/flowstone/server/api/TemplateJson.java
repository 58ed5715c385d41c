package dev.flowstone.server.api;

import dev.flowstone.engine.template.TemplateEntry;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.TemplateVersionEntry;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;

/** Template sets and document templates as the API shows them. */
final class TemplateJson {
    private TemplateJson() {}

    static JsonObject set(TemplateSet set) {
        return JsonObject.builder()
                .put("id", set.id().value())
                .put("displayName", set.displayName())
                .put("team", set.team())
                .put("shared", set.shared())
                .put("isEnabled", set.enabled())
                .put("revision", set.revision())
                .put("createdAt", set.created().at().toString())
                .put("createdBy", set.created().by().toString())
                .put("updatedAt", set.changed().at().toString())
                .put("updatedBy", set.changed().by().toString())
                .build();
    }

    static JsonObject entry(TemplateEntry entry) {
        return JsonObject.builder()
                .put("templateSetId", entry.name().set().value())
                .put("id", entry.name().id().value())
                .put("displayName", entry.displayName())
                .put("team", entry.team())
                .put("shared", entry.shared())
                .put("latestVersion", entry.latest())
                .put(
                        "currentVersion",
                        entry.current().isPresent()
                                ? JsonNumber.of(entry.current().getAsInt())
                                : JsonNull.NULL)
                .build();
    }

    static JsonObject version(TemplateVersion version) {
        return JsonObject.builder()
                .put("templateSetId", version.name().set().value())
                .put("id", version.name().id().value())
                .put("version", version.version())
                .put("displayName", version.draft().displayName())
                .put("format", version.draft().format().word())
                .put("fields", version.draft().fields())
                .put("body", version.draft().body())
                .put(
                        "help",
                        version.draft().help().<JsonValue>map(JsonString::new).orElse(JsonNull.NULL))
                .put("shared", version.shared())
                .put("isEnabled", version.enabled() && version.setEnabled())
                .put("configuredEnabled", version.enabled())
                .put("createdAt", version.created().at().toString())
                .put("createdBy", version.created().by().toString())
                .put("disabledAt", at(version.off()))
                .put("disabledBy", by(version.off()))
                .build();
    }

    static JsonObject versionEntry(TemplateVersionEntry version) {
        return JsonObject.builder()
                .put("templateSetId", version.name().set().value())
                .put("id", version.name().id().value())
                .put("version", version.version())
                .put("displayName", version.displayName())
                .put("format", version.format().word())
                .put("shared", version.shared())
                .put("isEnabled", version.off().isEmpty() && version.setEnabled())
                .put("configuredEnabled", version.off().isEmpty())
                .put("createdAt", version.created().at().toString())
                .put("createdBy", version.created().by().toString())
                .put("disabledAt", at(version.off()))
                .put("disabledBy", by(version.off()))
                .build();
    }

    private static JsonValue at(Optional<TemplateSet.Mark> off) {
        return off.<JsonValue>map(mark -> new JsonString(mark.at().toString())).orElse(JsonNull.NULL);
    }

    private static JsonValue by(Optional<TemplateSet.Mark> off) {
        return off.<JsonValue>map(mark -> new JsonString(mark.by().toString())).orElse(JsonNull.NULL);
    }
}
