package dev.flowstone.server.api;

import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.templates.DocumentTemplates;
import java.util.List;
import java.util.Set;

/** Sets and versions of document templates in files, read by the rules of the routes that make them, and told from what a server shows. */
public final class TemplateFiles {
    private static final List<String> OF_SETS = List.of("displayName", "team");
    private static final List<String> OF_VERSIONS = List.of("displayName", "format", "fields", "body", "help");

    private TemplateFiles() {}

    /** The words of a set; what is wrong with it is told as the route tells it. */
    public static JsonObject set(JsonObject body) throws ProblemException {
        Fields fields = fields(body).only(Set.copyOf(OF_SETS));
        return JsonObject.builder()
                .put("displayName", fields.requiredText("displayName", TemplateForm.NAME))
                .put("team", fields.requiredText("team", TemplateForm.NAME))
                .build();
    }

    /** The words of a version; what is wrong with it is told as the route tells it. */
    public static JsonObject version(JsonObject body, DocumentTemplates documents) throws ProblemException {
        Fields fields = fields(body);
        TemplateDraft draft = TemplateForm.draft(fields);
        TemplateForm.refuse(fields, "the template has", "", documents.check(draft));
        return JsonObject.builder()
                .put("displayName", draft.displayName())
                .put("format", draft.format().word())
                .put("fields", draft.fields())
                .put("body", draft.body())
                .putIfPresent("help", draft.help())
                .build();
    }

    /**
     * The id of a set.
     *
     * @throws IllegalArgumentException if it is none; it says what is one
     */
    public static String setId(String written) {
        return new TemplateSetId(written).value();
    }

    /**
     * The id of a template in its set.
     *
     * @throws IllegalArgumentException if it is none; it says what is one
     */
    public static String id(String written) {
        return new TemplateId(written).value();
    }

    /** The words of a set that there is. */
    public static JsonObject setWords(JsonObject there) {
        return words(there, OF_SETS);
    }

    /** The words of a version that there is. */
    public static JsonObject versionWords(JsonObject there) {
        return words(there, OF_VERSIONS);
    }

    private static JsonObject words(JsonObject there, List<String> names) {
        JsonObject.Builder words = JsonObject.builder();
        for (String name : names) {
            there.find(name).filter(value -> value != JsonNull.NULL).ifPresent(value -> words.put(name, value));
        }
        return words.build();
    }

    private static Fields fields(JsonObject body) throws ProblemException {
        return new Body(CanonicalJson.exact(body)).object();
    }
}
