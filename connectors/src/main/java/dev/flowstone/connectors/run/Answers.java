package dev.flowstone.connectors.run;

import dev.flowstone.action.ActionResult;
import dev.flowstone.action.FailureKind;
import dev.flowstone.action.LookupFailedException;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.connectors.bind.Mapping;
import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an action answered as what a run may be told: without secrets, and JSON. */
final class Answers {
    private static final int SHOWN = 5;
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    private final Hidden secrets;

    Answers(Hidden secrets) {
        this.secrets = secrets;
    }

    TaskResult of(ActionResult<?> result) {
        return switch (result) {
            case ActionResult.Succeeded<?> done -> succeeded(done);
            case ActionResult.Skipped<?> skipped -> new TaskResult.Skipped(secrets.in(skipped.reason()));
            case ActionResult.Failed<?> failed -> failed(failed);
        };
    }

    private TaskResult succeeded(ActionResult.Succeeded<?> done) {
        List<TaskResult.Link> links = new ArrayList<>();
        for (ResourceLink link : done.links()) {
            Optional<TaskResult.Link> kept = Links.kept(link, secrets);
            if (kept.isEmpty()) {
                return TaskResult.permanent(
                        "LINK_HAS_SECRET",
                        "a link has the credential in its system, type, id or key, by which it would be known for ever:"
                                + " the action names it by something else");
            }
            links.add(kept.get());
        }
        try {
            return new TaskResult.Ok(secrets.in(Mapping.json(done.outputs())), links);
        } catch (Mapping.NoJsonException e) {
            return TaskResult.permanent(
                    "OUTPUT_NOT_JSON",
                    "the output can't be written as JSON: " + secrets.in(String.valueOf(e.getMessage())));
        }
    }

    private TaskResult failed(ActionResult.Failed<?> failed) {
        TaskError error =
                new TaskError(secrets.in(failed.code()), secrets.in(failed.message()), details(failed.details()));
        return new TaskResult.Failed(
                failureClass(failed.kind()),
                error,
                failed.retryAfter().map(pause -> pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE));
    }

    /** None if they can't be written: how it failed matters more. */
    private JsonObject details(Map<String, Object> details) {
        try {
            return secrets.in(Mapping.json(details)) instanceof JsonObject object ? object : JsonObject.EMPTY;
        } catch (Mapping.NoJsonException e) {
            return JsonObject.EMPTY;
        }
    }

    private static FailureClass failureClass(FailureKind kind) {
        return switch (kind) {
            case PERMANENT -> FailureClass.PERMANENT;
            case RETRIABLE -> FailureClass.RETRYABLE;
            case EXTERNAL_LIMIT -> FailureClass.EXTERNAL_LIMIT;
            case POLICY_DENIED -> FailureClass.POLICY_DENIED;
        };
    }

    /** Parameters that can't be used, as {@code core.http} tells them, and in the details all of them. */
    TaskResult invalid(List<ParameterFault> faults) {
        String told = faults.stream()
                .limit(SHOWN)
                .map(fault -> fault.path() + ": " + fault.message())
                .collect(Collectors.joining("; "));
        List<JsonValue> all = faults.stream()
                .<JsonValue>map(fault -> JsonObject.builder()
                        .put("path", fault.path())
                        .put("message", secrets.in(fault.message()))
                        .build())
                .toList();
        TaskError error = new TaskError(
                "INVALID_PARAMETERS",
                secrets.in(told) + (faults.size() > SHOWN ? "; and " + (faults.size() - SHOWN) + " more" : ""),
                JsonObject.builder()
                        .put("path", faults.getFirst().path())
                        .put("faults", new JsonArray(all))
                        .build());
        return new TaskResult.Failed(FailureClass.PERMANENT, error, Optional.empty());
    }

    /** What it asked for couldn't be told; the reason may hold what nobody should see. */
    TaskResult away(LookupFailedException e) {
        return TaskResult.retryable("LOOKUP_FAILED", secrets.in(String.valueOf(e.getMessage())));
    }

    /** What it threw, without its stack trace: events are no log. What a repetition can't mend isn't tried again. */
    TaskResult threw(String action, Throwable thrown) {
        String said = thrown.getMessage() == null ? "" : ": " + thrown.getMessage();
        String message = secrets.in(action + " threw " + thrown.getClass().getName() + said);
        return switch (thrown) {
            case IllegalArgumentException _,
                    NullPointerException _,
                    ClassCastException _,
                    IndexOutOfBoundsException _,
                    UnsupportedOperationException _,
                    ArithmeticException _,
                    LinkageError _ -> TaskResult.permanent("ACTION_THREW", message);
            default -> TaskResult.retryable("ACTION_THREW", message);
        };
    }
}
