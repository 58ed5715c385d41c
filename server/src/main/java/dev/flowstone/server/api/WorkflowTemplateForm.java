package dev.flowstone.server.api;

import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.template.Drafting.Outcome;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What a body says of a version of a workflow template. */
final class WorkflowTemplateForm {
    static final int NAME = 200;
    static final String ID = "id";
    static final String OFFICIAL = "isOfficial";

    private static final String DISPLAY_NAME = "displayName";
    private static final String DESCRIPTION = "description";
    private static final String CATEGORY = "category";
    private static final String DEFINITION = "definition";
    private static final String SCHEMA = "configSchema";
    private static final String THUMBNAIL = "thumbnailUrl";
    private static final String AUTHOR = "author";
    private static final String TAGS = "tags";
    private static final Set<String> MEMBERS =
            Set.of(DISPLAY_NAME, DESCRIPTION, CATEGORY, DEFINITION, SCHEMA, THUMBNAIL, AUTHOR, TAGS);
    private static final Set<String> OF_A_NEW_ONE =
            Set.of(ID, OFFICIAL, DISPLAY_NAME, DESCRIPTION, CATEGORY, DEFINITION, SCHEMA, THUMBNAIL, AUTHOR, TAGS);

    private static final int LONGEST_DESCRIPTION = 10_000;
    private static final int MOST_DEFINITION_BYTES = 256 << 10;
    private static final int MOST_SCHEMA_BYTES = 32 << 10;
    private static final int LONGEST_THUMBNAIL = 8_000;
    private static final int MOST_TAGS = 20;
    private static final int LONGEST_TAG = 50;

    /** Pictures that can't run anything. */
    private static final Pattern PICTURE =
            Pattern.compile("data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}");

    private WorkflowTemplateForm() {}

    /** A new template's. */
    static WorkflowTemplateDraft fresh(Fields body) throws ProblemException {
        return read(body.only(OF_A_NEW_ONE));
    }

    /** The next version's. */
    static WorkflowTemplateDraft next(Fields body) throws ProblemException {
        return read(body.only(MEMBERS));
    }

    private static WorkflowTemplateDraft read(Fields body) throws ProblemException {
        return new WorkflowTemplateDraft(
                body.requiredText(DISPLAY_NAME, NAME),
                body.note(DESCRIPTION, LONGEST_DESCRIPTION).orElseThrow(() -> body.missing(DESCRIPTION)),
                body.requiredText(CATEGORY, NAME),
                bounded(body, DEFINITION, MOST_DEFINITION_BYTES),
                bounded(body, SCHEMA, MOST_SCHEMA_BYTES),
                body.meaning(THUMBNAIL, LONGEST_THUMBNAIL, WorkflowTemplateForm::thumbnail),
                body.text(AUTHOR, NAME),
                body.anyMeanings(TAGS, MOST_TAGS, LONGEST_TAG, Function.identity()));
    }

    private static JsonObject bounded(Fields body, String member, int most) throws ProblemException {
        JsonObject json =
                body.object(member).orElseThrow(() -> body.missing(member)).json();
        if (CanonicalJson.exactLength(json) > most) {
            throw body.exceeded(
                    member,
                    "'" + member + "' has more than " + most + " bytes",
                    "make it smaller, or two templates of it");
        }
        return json;
    }

    /** Whoever shows it loads it: from the web by a safe way, or as a picture that is data. */
    private static String thumbnail(String text) {
        if (PICTURE.matcher(text).matches() || isOfTheWeb(text)) {
            return text;
        }
        throw new IllegalArgumentException(
                "'" + THUMBNAIL + "' is an address with https:, or a PNG, JPEG, GIF or WebP as a data: URL in Base64");
    }

    private static boolean isOfTheWeb(String text) {
        try {
            URI address = URI.create(text);
            return "https".equals(address.getScheme()) && address.getHost() != null && address.getUserInfo() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Refuses what has faults, each with its place in the body that was sent. */
    static void refuse(Fields body, String what, Outcome.Refused refused) throws ProblemException {
        if (!refused.faults().isEmpty()) {
            List<Fault> told = refused.faults().stream()
                    .map(it -> {
                        JsonParser.Place place = body.place(it.pointer());
                        return new Fault(
                                it.code(), it.pointer(), place.line(), place.column(), it.message(), it.remedy());
                    })
                    .toList();
            throw Problem.of(ProblemCode.WFENG005, what + " " + Answers.count(told.size()), told)
                    .missing(refused.missingActions())
                    .exception();
        }
    }
}
