package dev.flowstone.templates;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateFormat;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.templates.body.Body;
import dev.flowstone.templates.body.BodyFault;
import dev.flowstone.templates.body.BodyLimits;
import dev.flowstone.templates.body.BodyRenderer;
import dev.flowstone.templates.fields.FieldFault;
import dev.flowstone.templates.fields.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Checks and renders document templates (dataflow.md §5.4). Pure: equal templates and data give equal documents, or equal faults, on any
 * machine. Thread-safe.
 */
public final class DocumentTemplates {
    private static final String ANSWERS = "answers";
    private static final String EXTRAS = "extras";
    private static final String TEMPLATE = "template";

    /** What expressions of a body may begin with. */
    private static final Set<String> NAMES = Set.of(ANSWERS, EXTRAS, TEMPLATE);

    private final ScriptExpressions expressions;
    private final BodyLimits limits;

    public DocumentTemplates(ScriptExpressions expressions) {
        this(expressions, BodyLimits.DEFAULT);
    }

    DocumentTemplates(ScriptExpressions expressions, BodyLimits limits) {
        this.expressions = requireNonNull(expressions);
        this.limits = requireNonNull(limits);
    }

    /** What is wrong with a draft; pointers go into {@code {fields, body}}. */
    public List<FieldFault> check(TemplateDraft draft) {
        List<FieldFault> faults = new ArrayList<>();
        for (FieldFault fault : Form.check(draft.fields())) {
            faults.add(new FieldFault(fault.code(), "/fields" + fault.pointer(), fault.message(), fault.remedy()));
        }
        if (read(draft) instanceof Body.Reading.Refused(List<BodyFault> found)) {
            found.forEach(fault -> faults.add(new FieldFault(fault.code(), "/body", fault.sentence(), fault.remedy())));
        }
        return faults;
    }

    private Body.Reading read(TemplateDraft draft) {
        return Body.read(draft.body(), NAMES, expressions, limits);
    }

    /** What came of a rendering. */
    public sealed interface Document {
        record Rendered(String body) implements Document {}

        /** The answers aren't what the form asks for; pointers go into them. */
        record WrongAnswers(List<FieldFault> faults) implements Document {
            public WrongAnswers {
                faults = List.copyOf(faults);
            }
        }

        /** The answers are right, and still the body can't be rendered with them. */
        record Failed(BodyFault fault) implements Document {}
    }

    /** Renders a version, whether or not it is off. */
    public Document render(TemplateVersion version, JsonObject answers, JsonObject extras) {
        TemplateDraft draft = version.draft();
        List<FieldFault> wrong = Form.check(draft.fields(), answers);
        if (!wrong.isEmpty()) {
            return new Document.WrongAnswers(wrong);
        }
        return switch (read(draft)) {
            case Body.Reading.Refused(List<BodyFault> faults) -> new Document.Failed(faults.getFirst());
            case Body.Reading.Read(Body body) -> rendered(body, version, answers, extras);
        };
    }

    private Document rendered(Body body, TemplateVersion version, JsonObject answers, JsonObject extras) {
        Map<String, JsonValue> roots = Map.of(ANSWERS, answers, EXTRAS, extras, TEMPLATE, metadata(version));
        UnaryOperator<String> escaping =
                version.draft().format() == TemplateFormat.HTML ? HtmlText::escaped : UnaryOperator.identity();
        return switch (BodyRenderer.render(body, roots::get, expressions, limits, escaping)) {
            case BodyRenderer.Result.Rendered(String text) -> new Document.Rendered(text);
            case BodyRenderer.Result.Failed(BodyFault fault) -> new Document.Failed(fault);
        };
    }

    /** What a document tells of where it comes from. */
    public static JsonObject metadata(TemplateVersion version) {
        return JsonObject.builder()
                .put("templateSetId", version.name().set().value())
                .put("templateId", version.name().id().value())
                .put("version", version.version())
                .put("displayName", version.draft().displayName())
                .put("format", version.draft().format().word())
                .put("shared", version.shared())
                .build();
    }
}
