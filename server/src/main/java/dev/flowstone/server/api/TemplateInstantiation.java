package dev.flowstone.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.template.Drafting;
import dev.flowstone.server.template.WorkflowTemplateDesk;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/** Makes a draft of a workflow template (dataflow.md §13.5). A repetition finds it, whatever became of the template meanwhile. */
final class TemplateInstantiation {
    private static final String DISPLAY_NAME = "displayName";
    private static final String CONFIG = "config";
    private static final String WORKFLOW = "workflowId";
    private static final int LONGEST_STEM = 60;
    private static final int DRAWN = 12;

    /** So many of the newest versions may have been the newest when the draft was made. */
    private static final int LOOKED_AT = 10;

    private final WorkflowTemplates templates;
    private final Drafting drafting;

    TemplateInstantiation(WorkflowTemplateDesk desk) {
        this.templates = requireNonNull(desk.templates());
        this.drafting = requireNonNull(desk.drafting());
    }

    Reply instantiate(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object().only(Set.of(DISPLAY_NAME, CONFIG, WORKFLOW));
        String displayName = body.requiredText(DISPLAY_NAME, WorkflowTemplateForm.NAME);
        JsonObject config = body.object(CONFIG).map(Fields::json).orElse(JsonObject.EMPTY);
        Optional<WorkflowId> named = body.meaning(WORKFLOW, WorkflowTemplateForm.NAME, WorkflowId::new);
        Optional<Integer> version = WorkflowTemplateRoutes.version(call);
        WorkflowTemplate template = WorkflowTemplateRoutes.found(templates, call, version);
        Drafting.Wish wish = new Drafting.Wish(named.orElseGet(() -> drawn(call, template)), displayName, config);
        Optional<Reply> repeated = repeated(call, template, version.isPresent() ? 1 : LOOKED_AT, wish);
        if (repeated.isPresent()) {
            return repeated.get();
        }
        if (!template.enabled()) {
            throw turnedOff(template);
        }
        return switch (drafting.draft(call.tenant(), template.draft(), wish)) {
            case Drafting.Outcome.Drafted(boolean created, WorkflowRow row) -> drafted(created, row, template);
            case Drafting.Outcome.Refused refused -> {
                WorkflowTemplateForm.refuse(body, "the config, or what comes of it, has", refused);
                throw new IllegalStateException("refused without a fault");
            }
            case Drafting.Outcome.Taken() -> throw taken(named, wish.workflow());
        };
    }

    /** What an equal request made before, of this version or one of those before it: the template may have gone on, or be off. */
    private Optional<Reply> repeated(Call call, WorkflowTemplate template, int versions, Drafting.Wish wish)
            throws JournalException {
        Optional<Drafting.Written> written = drafting.written(call.tenant(), wish.workflow());
        if (written.isEmpty()) {
            return Optional.empty();
        }
        int oldest = Math.max(1, template.version() - versions + 1);
        Optional<WorkflowTemplate> one = Optional.of(template);
        for (int version = template.version(); one.isPresent(); one = before(call, template, --version, oldest)) {
            if (written.get().isOf(one.get().draft(), wish)) {
                return Optional.of(drafted(false, written.get().row(), one.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<WorkflowTemplate> before(Call call, WorkflowTemplate template, int version, int oldest)
            throws JournalException {
        return version < oldest
                ? Optional.empty()
                : templates.find(call.tenant(), template.id(), OptionalInt.of(version));
    }

    /** The same for each repetition under an Idempotency-Key. */
    private static WorkflowId drawn(Call call, WorkflowTemplate template) {
        String stem = template.id().value().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String seed = template.id() + "\0"
                + call.idempotencyKey().orElseGet(() -> UUID.randomUUID().toString());
        String drawn = Sha256.digest(seed.getBytes(UTF_8)).toString().substring(0, DRAWN);
        return new WorkflowId(stem.substring(0, Math.min(stem.length(), LONGEST_STEM)) + "-" + drawn);
    }

    private static ProblemException turnedOff(WorkflowTemplate template) {
        return Problem.of(
                        ProblemCode.INVALID_STATE,
                        "workflow template '" + template.id() + "' is turned off; POST " + WorkflowTemplateRoutes.ROOT
                                + "/" + template.id() + "/enable turns it on")
                .exception();
    }

    private static ProblemException taken(Optional<WorkflowId> named, WorkflowId workflow) {
        return named.isPresent()
                ? Problem.of(
                                ProblemCode.WORKFLOW_STATE,
                                "there is a workflow '" + workflow + "', which says otherwise; choose another '"
                                        + WORKFLOW + "', or leave it out")
                        .exception()
                : Problem.of(
                                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                                "under this Idempotency-Key workflow '" + workflow
                                        + "' was made, of another request, or it was changed since; choose another key"
                                        + " to make another")
                        .exception();
    }

    private static Reply drafted(boolean created, WorkflowRow row, WorkflowTemplate template) {
        JsonObject json = JsonObject.builder()
                .put(WORKFLOW, row.id().value())
                .put("status", WorkflowJson.status(row.status()))
                .put("templateId", template.id().value())
                .put("templateVersion", template.version())
                .build();
        return Reply.json(created ? 201 : 200, json)
                .header("ETag", "\"" + WorkflowJson.etag(row) + "\"")
                .header("Location", "/api/v1/workflows/" + row.id());
    }
}
