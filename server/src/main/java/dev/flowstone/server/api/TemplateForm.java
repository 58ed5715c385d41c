package dev.flowstone.server.api;

import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateFormat;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.templates.fields.FieldFault;
import java.util.List;
import java.util.Set;

/** What a body says of a version of a template. */
final class TemplateForm {
    static final int NAME = 200;

    private static final String DISPLAY_NAME = "displayName";
    private static final String FORMAT = "format";
    private static final String FIELDS = "fields";
    private static final String BODY = "body";
    private static final String HELP = "help";
    private static final Set<String> MEMBERS = Set.of(DISPLAY_NAME, FORMAT, FIELDS, BODY, HELP);
    private static final int LONGEST_BODY = 256 << 10;
    private static final int LONGEST_HELP = 64 << 10;
    private static final int MOST_FIELD_BYTES = 32 << 10;

    private TemplateForm() {}

    static TemplateDraft draft(Fields body) throws ProblemException {
        body.only(MEMBERS);
        JsonObject fields = body.object(FIELDS).map(Fields::json).orElse(JsonObject.EMPTY);
        if (CanonicalJson.exactLength(fields) > MOST_FIELD_BYTES) {
            throw body.exceeded(
                    FIELDS,
                    "'fields' has more than " + MOST_FIELD_BYTES + " bytes",
                    "ask for less, or split the template");
        }
        return new TemplateDraft(
                body.requiredText(DISPLAY_NAME, NAME),
                body.meaning(FORMAT, NAME, TemplateFormat::of).orElseThrow(() -> body.missing(FORMAT)),
                fields,
                body.note(BODY, LONGEST_BODY).orElseThrow(() -> body.missing(BODY)),
                body.note(HELP, LONGEST_HELP));
    }

    /** Refuses what has faults, each with its place in the body that was sent. */
    static void refuse(Fields body, String what, String at, List<FieldFault> faults) throws ProblemException {
        if (!faults.isEmpty()) {
            List<Fault> told = faults.stream()
                    .map(it -> {
                        JsonParser.Place place = body.place(at + it.pointer());
                        return new Fault(
                                it.code(), at + it.pointer(), place.line(), place.column(), it.message(), it.remedy());
                    })
                    .toList();
            throw Problem.of(ProblemCode.WFENG005, what + " " + Answers.count(told.size()), told)
                    .exception();
        }
    }
}
