package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.http.Waits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts an execution (dataflow.md §13.1). Repeatable by its request id: the tenant's first start under an id decides, a
 * repetition for the same workflow gets the execution that exists, one for another workflow a conflict.
 */
public final class ExecuteRoute {
    private static final Set<String> MEMBERS =
            Set.of("requestId", "principal", "trigger", "priority", "tenantId", "spec", "subject");
    private static final Set<String> ABOUT = Set.of("kind", "id", "version", "exclusive");

    /** Refusals of a start that have a code of their own. */
    private static final Set<String> OWN = Set.of("SUSPENDED", "SUBJECT_BUSY", "STALE_SUBJECT_VERSION");

    private static final int MOST_PRIORITY = 1_000;
    private static final int REQUEST_ID = 200;
    static final int NAME = 200;

    private final Starts starts;
    private final RunReader runs;
    private final boolean principalRequired;
    private final Limits limits;

    /**
     * The route.
     *
     * @param principalRequired whether a start has to say for whom it is
     * @param limits on starts of each workflow
     */
    public ExecuteRoute(Starts starts, RunReader runs, boolean principalRequired, Limits limits) {
        this.starts = requireNonNull(starts);
        this.runs = requireNonNull(runs);
        this.principalRequired = principalRequired;
        this.limits = requireNonNull(limits);
    }

    public Route route() {
        return Route.post(
                        "/api/v1/workflows/{id}/execute",
                        Scope.WORKFLOWS_EXECUTE,
                        ExecutionDocs.EXECUTE,
                        BodyRule.OPTIONAL,
                        this::execute)
                .waiting(Waits.START);
    }

    private Reply execute(Call call) throws ProblemException, JournalException {
        WorkflowId workflow = Answers.workflow(call);
        Fields body = call.body().orElseGet(ExecuteRoute::empty).object().only(MEMBERS);
        Answers.ownTenant(call, body.text("tenantId", NAME));
        Optional<String> requestId = requestId(call, body);
        Starter starter = Starter.of(call, body, principalRequired);
        Map<String, JsonValue> input = new LinkedHashMap<>();
        input.put(Starts.TRIGGER, body.value("trigger").orElse(JsonObject.EMPTY));
        input.put(Starts.SPEC, body.value("spec").orElse(JsonObject.EMPTY));
        StartCount count = new StartCount(call.tally(), limits, call.tenant(), workflow);
        Starts.Wish wish = new Starts.Wish(
                call.tenant(),
                workflow,
                call.query().text("version").isPresent(),
                requestId,
                input,
                starter.actor(),
                call.correlation(),
                new Requested(starter.displayName(), starter.email(), body.number("priority", 0, MOST_PRIORITY)),
                subject(body));
        Starts.Outcome outcome = starts.start(wish, count);
        if (outcome instanceof Starts.Outcome.NotNow) {
            count.check();
        }
        return reply(call, requestId, body, outcome);
    }

    private Reply reply(Call call, Optional<String> requestId, Fields body, Starts.Outcome outcome)
            throws ProblemException, JournalException {
        WorkflowId workflow = Answers.workflow(call);
        return switch (outcome) {
            case Starts.Outcome.Answered(StartAnswer answer) -> answered(call, requestId, answer);
            case Starts.Outcome.NotNow() -> throw new IllegalStateException("a start was let in and turned away");
            case Starts.Outcome.Unknown() -> throw Answers.unknown(workflow);
            case Starts.Outcome.NotExecutable(WorkflowRow row) -> throw notExecutable(row);
            case Starts.Outcome.NoDraft(WorkflowRow row, boolean allowed) -> throw noDraft(row, allowed);
            case Starts.Outcome.BadDraft(List<DefinitionFault> faults) -> throw Answers.invalid(faults);
            case Starts.Outcome.BadTrigger bad -> throw badTrigger(body, bad);
        };
    }

    private static Body empty() {
        return new Body(new byte[] {'{', '}'});
    }

    private Reply answered(Call call, Optional<String> requestId, StartAnswer answer)
            throws ProblemException, JournalException {
        return switch (answer) {
            case StartAnswer.Started(RunId run, long lastSequence) ->
                reply(202, run, ExecutionStatus.PENDING, lastSequence);
            case StartAnswer.Existing(RunId run) -> existing(call, run);
            case StartAnswer.OtherWorkflow(RunId run, WorkflowId other) ->
                throw Problem.of(
                                ProblemCode.WFENG001,
                                "request id '" + Cut.text(requestId.orElse("")) + "' started execution " + run
                                        + " of workflow '" + Cut.text(other.value()) + "'; choose another request id")
                        .exception();
            case StartAnswer.Refused(String code, String reason)
            when OWN.contains(code) -> throw Refusals.exception(code, reason);
            case StartAnswer.Refused(String code, String reason) ->
                throw Problem.of(ProblemCode.NOT_EXECUTABLE, code + ": " + reason)
                        .exception();
            case StartAnswer.OverQuota(String reason, Duration wait) ->
                throw Problem.of(ProblemCode.QUOTA_EXCEEDED, reason)
                        .retryAfter(wait)
                        .exception();
            case StartAnswer.Busy busy ->
                throw Problem.of(ProblemCode.BUSY, busy.reason() + "; try again with the same request id")
                        .retryAfter(busy.retryAfter())
                        .elsewhere(busy.owner())
                        .exception();
        };
    }

    private Reply existing(Call call, RunId run) throws JournalException {
        RunRow row = runs.run(call.tenant(), run)
                .orElseThrow(() -> new IllegalStateException("execution " + run + " has a receipt and no row"));
        return reply(200, run, ExecutionStatus.of(row.status()), row.lastSequence());
    }

    private static Reply reply(int code, RunId run, ExecutionStatus status, long lastSequence) {
        String id = run.toString();
        return Reply.json(code, ExecutionJson.started(id, status))
                .header("Location", ExecutionJson.ROOT + "/" + id)
                .header(Reply.LAST_SEQ, Long.toString(lastSequence));
    }

    private static Optional<String> requestId(Call call, Fields body) throws ProblemException {
        Optional<String> given = body.text("requestId", REQUEST_ID);
        Optional<String> key = call.idempotencyKey();
        if (given.isPresent() && key.isPresent() && !given.equals(key)) {
            throw Problem.of(
                            ProblemCode.IDEMPOTENCY_KEY_DIFFERS,
                            "the header Idempotency-Key and the body's requestId name the same thing and differ;"
                                    + " send one of them, or both alike")
                    .exception();
        }
        return given.or(() -> key);
    }

    private static Optional<SubjectBinding> subject(Fields body) throws ProblemException {
        Optional<Fields> subject = body.object("subject");
        if (subject.isEmpty()) {
            return Optional.empty();
        }
        Fields about = subject.get().only(ABOUT);
        return Optional.of(new SubjectBinding(
                new Subject(about.requiredText("kind", NAME), about.requiredText("id", NAME)),
                about.count("version").orElse(0L),
                about.flag("exclusive", true)));
    }

    private static ProblemException noDraft(WorkflowRow row, boolean allowed) {
        String why = allowed
                ? "has no draft that is open: POST /api/v1/workflows/" + row.id() + "/draft"
                : "has a draft, and drafts are not run here (catalog.allowDraftExecution); publish it: POST"
                        + " /api/v1/workflows/" + row.id() + "/publish";
        return Problem.of(
                        ProblemCode.NOT_EXECUTABLE,
                        "workflow '" + Cut.text(row.id().value()) + "' " + why)
                .exception();
    }

    private static ProblemException notExecutable(WorkflowRow row) {
        String id = row.id().value();
        String remedy = switch (row.status()) {
            case WorkflowStatus.DRAFT -> "it is a draft; publish it: POST /api/v1/workflows/" + id + "/publish";
            case WorkflowStatus.ARCHIVED ->
                "it is archived; reactivate it: POST /api/v1/workflows/" + id + "/reactivate";
            case WorkflowStatus.ACTIVE -> "it is disabled";
        };
        return Problem.of(ProblemCode.NOT_EXECUTABLE, "workflow '" + Cut.text(id) + "' takes no executions: " + remedy)
                .exception();
    }

    private static ProblemException badTrigger(Fields body, Starts.Outcome.BadTrigger bad) {
        List<Fault> faults = bad.faults().stream()
                .map(it -> {
                    String pointer = "/" + Starts.TRIGGER + it.pointer();
                    var place = body.place(pointer);
                    return new Fault(it.code().id(), pointer, place.line(), place.column(), it.message(), it.remedy());
                })
                .toList();
        return Problem.of(
                        ProblemCode.WFENG005,
                        "the trigger has " + Answers.count(faults.size()) + " by the workflow's triggerSchema",
                        faults)
                .exception();
    }
}
