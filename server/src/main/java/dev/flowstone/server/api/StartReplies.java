package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What callers are told of a start, whatever asked for it (dataflow.md §13.1). */
final class StartReplies {
    private static final System.Logger LOG = System.getLogger(StartReplies.class.getName());

    /** Refusals of a start that have a code of their own. */
    private static final Set<String> OWN = Set.of("SUSPENDED", "SUBJECT_BUSY", "STALE_SUBJECT_VERSION");

    private final RunReader runs;

    StartReplies(RunReader runs) {
        this.runs = requireNonNull(runs);
    }

    /** What was asked for. */
    record Asked(TenantId tenant, WorkflowId workflow, Optional<String> requestId) {
        Asked {
            requireNonNull(tenant);
            requireNonNull(workflow);
            requireNonNull(requestId);
        }
    }

    /**
     * 202 for a new execution, 200 for the one that there is.
     *
     * @param place where in the caller's body a fault of the trigger's payload is
     */
    Reply reply(Asked asked, Starts.Outcome outcome, Function<dev.flowstone.dialect.fault.Fault, Fault> place)
            throws ProblemException, JournalException {
        return switch (outcome) {
            case Starts.Outcome.Answered(StartAnswer answer) -> answered(asked, answer);
            case Starts.Outcome.NotNow() -> throw new IllegalStateException("a start was let in and turned away");
            case Starts.Outcome.Unknown() -> throw Answers.unknown(asked.workflow());
            case Starts.Outcome.NotExecutable(WorkflowRow row) -> throw notExecutable(row.id(), row.status());
            case Starts.Outcome.NoDraft(WorkflowRow row, boolean allowed) -> throw noDraft(row, allowed);
            case Starts.Outcome.BadDraft(List<DefinitionFault> faults) -> throw Answers.invalid(faults);
            case Starts.Outcome.BadTrigger(var faults) ->
                throw badTrigger(faults.stream().map(place).toList());
        };
    }

    private Reply answered(Asked asked, StartAnswer answer) throws ProblemException, JournalException {
        return switch (answer) {
            case StartAnswer.Started(RunId run, long lastSequence) ->
                reply(202, run, ExecutionStatus.PENDING, lastSequence);
            case StartAnswer.Existing(RunId run) -> existing(asked.tenant(), run);
            case StartAnswer.OtherWorkflow(RunId run, WorkflowId other) ->
                throw Problem.of(
                                ProblemCode.WFENG001,
                                "request id '" + Cut.text(asked.requestId().orElse("")) + "' started execution " + run
                                        + " of workflow '" + Cut.text(other.value()) + "'; choose another request id")
                        .exception();
            case StartAnswer.Refused refused -> throw refused(refused);
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

    /** A fault of ours is in the log, and nothing of our insides in the answer. */
    static ProblemException refused(StartAnswer.Refused refused) {
        if (refused.isFault()) {
            LOG.log(Level.ERROR, "an execution can't be started: " + refused.code() + ": " + refused.reason());
            return Problem.of(ProblemCode.INTERNAL, "the execution can't be started; the server's log has the details")
                    .exception();
        }
        if (refused.isUnstorable()) {
            return Problem.of(ProblemCode.INVALID_REQUEST, "something in this request can't be stored")
                    .exception();
        }
        if (OWN.contains(refused.code())) {
            return Refusals.exception(refused.code(), refused.reason());
        }
        return Problem.of(ProblemCode.NOT_EXECUTABLE, refused.code() + ": " + refused.reason())
                .exception();
    }

    private Reply existing(TenantId tenant, RunId run) throws JournalException {
        RunRow row = runs.run(tenant, run)
                .orElseThrow(() -> new IllegalStateException("execution " + run + " has a receipt and no row"));
        return reply(200, run, ExecutionStatus.of(row.status()), row.lastSequence());
    }

    private static Reply reply(int code, RunId run, ExecutionStatus status, long lastSequence) {
        String id = run.toString();
        return Reply.json(code, ExecutionJson.started(id, status))
                .header("Location", ExecutionJson.ROOT + "/" + id)
                .header(Reply.LAST_SEQ, Long.toString(lastSequence));
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

    /** A workflow takes no executions in this state. */
    static ProblemException notExecutable(WorkflowId workflow, WorkflowStatus status) {
        String id = workflow.value();
        String remedy = switch (status) {
            case WorkflowStatus.DRAFT -> "it is a draft; publish it: POST /api/v1/workflows/" + id + "/publish";
            case WorkflowStatus.ARCHIVED ->
                "it is archived; reactivate it: POST /api/v1/workflows/" + id + "/reactivate";
            case WorkflowStatus.ACTIVE -> "it is disabled";
        };
        return Problem.of(ProblemCode.NOT_EXECUTABLE, "workflow '" + Cut.text(id) + "' takes no executions: " + remedy)
                .exception();
    }

    private static ProblemException badTrigger(List<Fault> faults) {
        return Problem.of(
                        ProblemCode.WFENG005,
                        "the trigger has " + Answers.count(faults.size()) + " by the workflow's triggerSchema",
                        faults)
                .exception();
    }
}
