package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** People's tasks over REST. */
final class RestHumanTasks implements HumanTasks {
    private final Caller caller;

    RestHumanTasks(Caller caller) {
        this.caller = requireNonNull(caller);
    }

    @Override
    public Listing<HumanTask> list(TaskFilter filter) {
        return new RestListing<>(caller, "/api/v1/tasks", filter.query(), HumanTask::read);
    }

    @Override
    public Listing<HumanTask> mine() {
        return new RestListing<>(caller, "/api/v1/approvals", new Call.Query(), HumanTask::read);
    }

    @Override
    public Listing<HumanTask> of(String executionId) {
        return new RestListing<>(caller, path(executionId), new Call.Query(), HumanTask::read);
    }

    private static String path(String executionId) {
        return "/api/v1/executions/" + segment(executionId) + "/tasks";
    }

    private TaskActed act(TaskName task, String what, Body body) {
        String path = path(task.executionId()) + "/" + segment(task.activation()) + "/" + what;
        return caller.read(Call.post(path).with(body.json()).keyed(caller.key()), TaskActed::read);
    }

    @Override
    public TaskActed claim(TaskName task, Duration lease) {
        return act(task, "claim", lease(lease));
    }

    @Override
    public TaskActed heartbeat(TaskName task, Duration lease) {
        return act(task, "heartbeat", lease(lease));
    }

    private static Body lease(Duration lease) {
        return new Body().put("leaseSeconds", Optional.of(lease.toSeconds()));
    }

    @Override
    public TaskActed release(TaskName task) {
        return act(task, "release", new Body());
    }

    @Override
    public TaskActed decide(TaskName task, Decision decision) {
        return act(
                task,
                "decide",
                new Body()
                        .put("outcome", decision.outcome())
                        .put("rationale", decision.rationale())
                        .put("onBehalfOf", decision.onBehalfOf())
                        .put("subjectVersion", decision.subjectVersion()));
    }

    @Override
    public TaskActed delegate(TaskName task, String to, String reason) {
        return act(task, "delegate", new Body().put("to", to).put("reason", reason));
    }

    @Override
    public TaskActed reassign(TaskName task, List<String> to, String reason) {
        return act(task, "reassign", new Body().put("to", to).put("reason", reason));
    }

    @Override
    public TaskActed resolve(TaskName task, String outcome, String reason) {
        return act(task, "resolve", new Body().put("outcome", outcome).put("reason", reason));
    }
}
