package dev.flowstone.server.api;

import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** Workflows as REST shows them. */
final class WorkflowJson {
    private WorkflowJson() {}

    static JsonObject row(WorkflowRow row) {
        return builder(row).build();
    }

    /** With the definition of its open draft. */
    static JsonObject draft(WorkflowRow row, byte[] source) {
        return builder(row)
                .put("version", JsonNull.NULL)
                .put("definition", definition(source))
                .build();
    }

    static JsonObject version(WorkflowRow row, WorkflowVersion version) {
        return builder(row)
                .put("version", version.version())
                .put("definition", definition(version.source()))
                .put("checksum", version.checksum().toString())
                .put("programHash", version.program().toString())
                .put("publishedAt", version.publishedAt().toString())
                .build();
    }

    static JsonObject entry(WorkflowRow row, WorkflowVersionEntry version) {
        return JsonObject.builder()
                .put("workflowId", row.id().value())
                .put("version", version.version())
                .put("isCurrent", JsonBoolean.of(version.version() == row.currentVersion()))
                .put("checksum", version.checksum().toString())
                .put("programHash", version.program().toString())
                .put("publishedAt", version.publishedAt().toString())
                .build();
    }

    static String etag(WorkflowRow row) {
        return "r" + row.revision();
    }

    static String status(WorkflowStatus status) {
        return switch (status) {
            case DRAFT -> "Draft";
            case ACTIVE -> "Active";
            case ARCHIVED -> "Archived";
        };
    }

    static Optional<WorkflowStatus> status(String text) {
        return Arrays.stream(WorkflowStatus.values())
                .filter(it -> status(it).equals(text))
                .findFirst();
    }

    private static JsonObject.Builder builder(WorkflowRow row) {
        return JsonObject.builder()
                .put("id", row.id().value())
                .put("displayName", row.displayName())
                .putIfPresent("description", row.description())
                .put("status", status(row.status()))
                .put("isEnabled", row.enabled())
                .put("currentVersion", number(row.currentVersion()))
                .put("latestVersion", number(row.latestVersion()))
                .put("hasDraft", row.draft().isPresent())
                .put("tenantId", row.tenant().value())
                .put("createdAt", row.createdAt().toString())
                .put("updatedAt", row.updatedAt().toString())
                .put("revision", row.revision());
    }

    private static JsonValue number(int version) {
        return version == 0 ? JsonNull.NULL : JsonNumber.of(version);
    }

    private static JsonValue definition(byte[] source) {
        try {
            return JsonParser.parse(source, JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("a stored definition is JSON", e);
        }
    }
}
