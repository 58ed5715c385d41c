package dev.flowstone.server.api;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.workflow.CatalogAnswer;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.Refusal;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.util.List;

/** The catalog's answers, and ids in paths, as values or problems. */
final class Answers {
    private static final int NAME = 500;

    private Answers() {}

    /** The value, or the problem that says why there is none. */
    static <T> T done(Call call, CatalogAnswer<T> answer) throws ProblemException {
        return switch (answer) {
            case CatalogAnswer.Done<T>(T value) -> value;
            case CatalogAnswer.Invalid<T>(List<DefinitionFault> faults) -> throw invalid(faults);
            case CatalogAnswer.Unknown<T>(WorkflowId id) -> throw unknown(id);
            case CatalogAnswer.Refused<T>(Refusal refusal, WorkflowRow row) -> throw refused(refusal, row);
            case CatalogAnswer.Changed<T>(WorkflowId id) -> throw changed(call, id);
        };
    }

    /** The execution that a member of a body names. */
    static RunId execution(Fields body) throws ProblemException {
        return body.meaning("executionId", NAME, text -> {
                    RunId id = RunId.parse(text);
                    if (Aggregates.isAggregate(id)) {
                        throw new IllegalArgumentException("no execution is called so");
                    }
                    return id;
                })
                .orElseThrow(() -> body.missing("executionId"));
    }

    /** The visit of a node that a member of a body names, written {@code node#visit}. */
    static ActivationId activation(Fields body) throws ProblemException {
        return body.meaning("activation", NAME, text -> {
                    ActivationId activation = ActivationId.parse(text);
                    if (!activation.toString().equals(text)) {
                        throw new IllegalArgumentException("a task is named by its node and visit, such as review#1");
                    }
                    return activation;
                })
                .orElseThrow(() -> body.missing("activation"));
    }

    static WorkflowId workflow(Call call) throws ProblemException {
        try {
            return new WorkflowId(call.variable("id"));
        } catch (IllegalArgumentException e) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, String.valueOf(e.getMessage()))
                    .exception();
        }
    }

    static RunId execution(Call call) throws ProblemException {
        try {
            RunId id = RunId.parse(call.variable("id"));
            if (!Aggregates.isAggregate(id)) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            // Nothing is called so, no more than like a channel, which only the engine speaks to.
        }
        throw noExecution(call.variable("id"));
    }

    /** A visit of a node, written {@code node#visit}, its hash as {@code %23}. */
    static ActivationId activation(Call call) throws ProblemException {
        String text = call.variable("activation");
        try {
            ActivationId activation = ActivationId.parse(text);
            if (activation.toString().equals(text)) {
                return activation;
            }
        } catch (IllegalArgumentException e) {
            // Refused below, like one that is spelled in another way.
        }
        throw Problem.of(
                        ProblemCode.NOT_FOUND,
                        "a task is named by its node and visit, such as review%231, not '" + Cut.text(text) + "'")
                .exception();
    }

    /** Why an execution isn't there: a month that was archived has taken it along, or there never was one. */
    static ProblemException absent(RunReader runs, TenantId tenant, RunId id) throws JournalException {
        List<String> files = runs.archives(tenant, id);
        return files.isEmpty()
                ? noExecution(id.toString())
                : Problem.of(
                                ProblemCode.EXECUTION_ARCHIVED,
                                "executions of its month that were over have left the database, to "
                                        + String.join(", ", files) + "; this one isn't here any more, if it ever was")
                        .exception();
    }

    static ProblemException noExecution(String id) {
        return Problem.of(ProblemCode.EXECUTION_NOT_FOUND, "this tenant has no execution " + Cut.text(id))
                .exception();
    }

    static ProblemException unknown(WorkflowId id) {
        return Problem.of(
                        ProblemCode.WORKFLOW_NOT_FOUND,
                        "this tenant has no workflow '" + Cut.text(id.value())
                                + "'; POST /api/v1/workflows creates one")
                .exception();
    }

    static ProblemException invalid(List<DefinitionFault> faults) {
        List<Fault> told = faults.stream()
                .map(it -> new Fault(it.code(), it.pointer(), it.line(), it.column(), it.message(), it.remedy()))
                .toList();
        List<String> missing = faults.stream()
                .flatMap(it -> it.missingAction().stream())
                .distinct()
                .toList();
        return Problem.of(ProblemCode.WFENG005, "the definition has " + count(told.size()), told)
                .missing(missing)
                .exception();
    }

    /** What a dialect says of a definition. */
    static Fault fault(dev.flowstone.dialect.fault.Fault it) {
        return new Fault(it.code().id(), it.pointer(), it.line(), it.column(), it.message(), it.remedy());
    }

    static String count(int faults) {
        return faults == 1 ? "one fault" : faults + " faults";
    }

    private static ProblemException refused(Refusal refusal, WorkflowRow row) {
        String path = "/api/v1/workflows/" + row.id();
        ProblemCode code = switch (refusal) {
            case ACTIVE_IS_IMMUTABLE, ARCHIVED_IS_IMMUTABLE -> ProblemCode.IMMUTABLE;
            case OTHER_ID -> ProblemCode.INVALID_REQUEST;
            case ARCHIVED, NEVER_ACTIVATED, NO_DRAFT, WAS_ACTIVE, HAS_RUNS -> ProblemCode.WORKFLOW_STATE;
        };
        String route = switch (refusal) {
            case ACTIVE_IS_IMMUTABLE -> "POST " + path + "/draft";
            case ARCHIVED_IS_IMMUTABLE, ARCHIVED -> "POST " + path + "/reactivate";
            case OTHER_ID -> "POST /api/v1/workflows for another id";
            case NEVER_ACTIVATED -> "POST " + path + "/publish, or DELETE " + path;
            case HAS_RUNS -> "POST " + path + "/publish, then POST " + path + "/archive";
            case NO_DRAFT, WAS_ACTIVE -> "POST " + path + "/archive";
        };
        return Problem.of(code, refusal.reason() + "; " + refusal.remedy() + ": " + route)
                .exception();
    }

    private static ProblemException changed(Call call, WorkflowId id) throws ProblemException {
        return call.expectedRevision().isPresent()
                ? Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "workflow '" + Cut.text(id.value())
                                        + "' is not at the revision in If-Match; read it again, then decide again")
                        .exception()
                : Problem.of(ProblemCode.CHANGED_MEANWHILE, "others keep changing this workflow; try again")
                        .exception();
    }
}
