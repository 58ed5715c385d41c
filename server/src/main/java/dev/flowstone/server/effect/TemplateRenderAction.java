package dev.flowstone.server.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.template.TemplateDesk;
import dev.flowstone.templates.DocumentTemplates;
import dev.flowstone.templates.DocumentTemplates.Document;
import dev.flowstone.templates.body.BodyFault;
import dev.flowstone.templates.fields.FieldFault;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * {@code core.template.render}: renders a document template of the run's tenant, and answers {@code {body, metadata}} (dataflow.md
 * §5.4). An attempt that follows gets the same document of a version that is named; only a database that doesn't answer is worth one.
 */
public final class TemplateRenderAction implements TaskHandler {
    private static final String SET = "templateSetId";
    private static final String ID = "templateId";
    private static final String VERSION = "version";
    private static final String ANSWERS = "answers";
    private static final String EXTRAS = "extras";

    public static final ActionDescription DESCRIPTION = new ActionDescription(
            new HandlerName("core.template.render"),
            "Renders a document template.",
            List.of(
                    new Parameter(SET, true, "text, the set that the template is in"),
                    new Parameter(ID, true, "text, the template"),
                    new Parameter(VERSION, false, "whole number; the newest that isn't off if left out"),
                    new Parameter(ANSWERS, false, "object, what the template's form asks for"),
                    new Parameter(EXTRAS, false, "object, what the body reads besides")));

    private static final Set<String> NAMES = Set.of(SET, ID, VERSION, ANSWERS, EXTRAS);

    private final TemplateDesk desk;

    public TemplateRenderAction(TemplateDesk desk) {
        this.desk = requireNonNull(desk);
    }

    @Override
    public TaskResult handle(TaskCall call) {
        JsonObject given = call.input() instanceof JsonObject object ? object : JsonObject.EMPTY;
        try {
            for (String name : given.members().keySet()) {
                if (!NAMES.contains(name)) {
                    throw invalid(name, "there is no such parameter; there are " + String.join(", ", parameters()));
                }
            }
            TemplateName name =
                    new TemplateName(name(given, SET, TemplateSetId::new), name(given, ID, TemplateId::new));
            OptionalInt version = version(given);
            JsonObject answers = object(given, ANSWERS);
            JsonObject extras = object(given, EXTRAS);
            Optional<TemplateVersion> found = desk.templates().find(call.tenant(), name, version);
            return found.isEmpty() ? unknown(name, version) : rendered(found.get(), answers, extras);
        } catch (InvalidParameterException e) {
            return e.result();
        } catch (JournalException e) {
            return TaskResult.retryable("UNAVAILABLE", "the database doesn't answer right now");
        }
    }

    private static List<String> parameters() {
        return DESCRIPTION.parameters().stream().map(Parameter::name).toList();
    }

    private TaskResult rendered(TemplateVersion version, JsonObject answers, JsonObject extras) {
        if (!version.enabled() || !version.setEnabled()) {
            return TaskResult.permanent(
                    "TEMPLATE_DISABLED",
                    "version " + version.version() + " of template " + version.name()
                            + " is off, or its set is; turn it on, or name another version");
        }
        return switch (desk.documents().render(version, answers, extras)) {
            case Document.Rendered(String body) ->
                TaskResult.ok(JsonObject.builder()
                        .put("body", body)
                        .put("metadata", DocumentTemplates.metadata(version))
                        .build());
            case Document.WrongAnswers(List<FieldFault> faults) -> wrong(version, faults);
            case Document.Failed(BodyFault fault) ->
                failed(
                        "TEMPLATE_FAILED",
                        "template " + version.name() + ", version " + version.version() + ", " + fault.sentence() + "; "
                                + fault.remedy(),
                        JsonObject.builder()
                                .put("fault", fault.code())
                                .put("line", fault.line())
                                .put("column", fault.column())
                                .build());
        };
    }

    private static TaskResult wrong(TemplateVersion version, List<FieldFault> faults) {
        List<JsonValue> told = faults.stream()
                .<JsonValue>map(fault -> JsonObject.builder()
                        .put("path", JsonPointer.ROOT.child(ANSWERS) + fault.pointer())
                        .put("message", fault.message())
                        .build())
                .toList();
        return failed(
                "ANSWERS_INVALID",
                "the answers aren't what template " + version.name() + ", version " + version.version()
                        + ", asks for: /answers" + faults.getFirst().pointer() + ": "
                        + faults.getFirst().message(),
                JsonObject.builder().put("faults", new JsonArray(told)).build());
    }

    private static TaskResult unknown(TemplateName name, OptionalInt version) {
        return TaskResult.permanent(
                "TEMPLATE_NOT_FOUND",
                version.isPresent()
                        ? "there is no version " + version.getAsInt() + " of a template " + name
                        : "there is no template " + name + ", or all its versions are off");
    }

    private static TaskResult failed(String code, String message, JsonObject details) {
        return new TaskResult.Failed(FailureClass.PERMANENT, new TaskError(code, message, details), Optional.empty());
    }

    private static <T> T name(JsonObject given, String member, Function<String, T> reader)
            throws InvalidParameterException {
        if (!(given.get(member) instanceof JsonString(String text))) {
            throw invalid(member, "it is text, and must be there");
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw invalid(member, String.valueOf(e.getMessage()));
        }
    }

    /** A version that went through a text is one, too. */
    private static OptionalInt version(JsonObject given) throws InvalidParameterException {
        JsonValue value = given.get(VERSION);
        if (value == null || value == JsonNull.NULL) {
            return OptionalInt.empty();
        }
        try {
            int version = value instanceof JsonString(String text)
                    ? Integer.parseInt(text)
                    : value instanceof JsonNumber number ? whole(number.decimalValue()) : 0;
            if (version >= 1 && version <= Templates.MOST_VERSIONS) {
                return OptionalInt.of(version);
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Refused below, like one that is out of bounds.
        }
        throw invalid(VERSION, "it is a whole number from 1 to " + Templates.MOST_VERSIONS);
    }

    private static int whole(BigDecimal number) {
        return number.compareTo(BigDecimal.valueOf(Templates.MOST_VERSIONS)) > 0 ? 0 : number.intValueExact();
    }

    private static JsonObject object(JsonObject given, String member) throws InvalidParameterException {
        JsonValue value = given.get(member);
        if (value == null || value == JsonNull.NULL) {
            return JsonObject.EMPTY;
        }
        if (value instanceof JsonObject object) {
            return object;
        }
        throw invalid(member, "it is an object");
    }

    private static InvalidParameterException invalid(String member, String message) {
        return new InvalidParameterException(JsonPointer.ROOT.child(member), message);
    }
}
