package dev.flowstone.templates.workflow;

import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates.Shipped;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * The official templates that this release ships. Who changes one raises its edition, so that databases that have the one before get the
 * new one as its next version.
 */
public final class Library {
    private static final List<String> NAMES = List.of(
            "approval-with-reminder",
            "compensated-steps",
            "document-review",
            "event-to-webhook",
            "fan-out-fan-in",
            "nightly-cleanup",
            "poll-and-notify",
            "retry-with-fallback",
            "scheduled-report",
            "webhook-to-http");

    private static final String AUTHOR = "Flowstone";

    private Library() {}

    /** All of them, by id. */
    public static List<Shipped> templates() {
        return NAMES.stream().map(Library::read).toList();
    }

    private static Shipped read(String name) {
        JsonObject file = file("library/" + name + ".json");
        WorkflowTemplateDraft draft = new WorkflowTemplateDraft(
                text(file, "displayName"),
                text(file, "description"),
                text(file, "category"),
                (JsonObject) file.find("definition").orElseThrow(),
                (JsonObject) file.find("configSchema").orElseThrow(),
                Optional.empty(),
                Optional.of(AUTHOR),
                ((JsonArray) file.find("tags").orElseThrow())
                        .items().stream().map(Library::text).toList());
        int edition = Math.toIntExact(((JsonNumber) file.find("edition").orElseThrow()).longValue());
        return new Shipped(new WorkflowTemplateId(name), edition, draft);
    }

    private static String text(JsonObject file, String member) {
        return text(file.find(member).orElseThrow());
    }

    private static String text(JsonValue value) {
        return ((JsonString) value).value();
    }

    private static JsonObject file(String name) {
        try (InputStream in = Library.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing beside the classes");
            }
            return (JsonObject) JsonParser.parse(in.readAllBytes(), JsonLimits.STORED);
        } catch (IOException | JsonSyntaxException e) {
            throw new IllegalStateException(name + " can't be read", e);
        }
    }
}
