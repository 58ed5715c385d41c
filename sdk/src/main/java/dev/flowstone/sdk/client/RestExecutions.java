package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/** Executions over REST. */
final class RestExecutions implements Executions {
    private static final String ROOT = "/api/v1/executions";

    private final Caller caller;

    RestExecutions(Caller caller) {
        this.caller = requireNonNull(caller);
    }

    Caller caller() {
        return caller;
    }

    private static String path(String id) {
        return ROOT + "/" + segment(id);
    }

    @Override
    public StartedExecution start(Start start) {
        String path = "/api/v1/workflows/" + segment(start.workflowId()) + "/execute"
                + (start.draft() ? "?version=draft" : "");
        Optional<String> chosen = start.requestId().or(caller::key);
        Call call = keyed(Call.post(path), start.body(caller), chosen);
        String key = chosen.or(call::key).orElseThrow();
        Answered answered = caller.call(call);
        return caller.shaped(call, answered, it -> {
            Tree tree = Tree.of(it.body());
            return new StartedExecution(
                    tree.text("executionId"),
                    tree.word("status", ExecutionStatus.class, ExecutionStatus.UNKNOWN),
                    it.status() == 202 || chosen.isEmpty(),
                    key);
        });
    }

    /** A request id may have characters that no header can have: then the body alone has it. */
    private static Call keyed(Call call, Body body, Optional<String> requestId) {
        if (requestId.isEmpty() || Call.isKey(requestId.get())) {
            return call.with(body.json()).keyed(requestId);
        }
        return call.with(body.put("requestId", requestId).json()).repeating(Call.Repeat.HARMLESS);
    }

    @Override
    public Execution get(String executionId) {
        return caller.read(Call.get(path(executionId)), Execution::read);
    }

    @Override
    public Listing<ExecutionSummary> list(ExecutionFilter filter) {
        return new RestListing<>(caller, ROOT, filter.query(), ExecutionSummary::read);
    }

    @Override
    public Listing<ExecutionEvent> events(String executionId, long from) {
        String path = path(executionId) + "/timeline";
        String first = Long.toString(numbered(from));
        return (limit, cursor) -> {
            Call.Query query = new Call.Query()
                    .add("from", Optional.of(cursor.orElse(first)))
                    .add("limit", Optional.of(limit));
            return caller.read(
                    Call.get(query.on(path)),
                    tree -> new Page<>(
                            tree.list("items", ExecutionEvent::read),
                            tree.maybeNumber("next").map(String::valueOf)));
        };
    }

    private static long numbered(long from) {
        if (from < 1) {
            throw new IllegalArgumentException("events are numbered from 1");
        }
        return from;
    }

    @Override
    public Following follow(String executionId, long from) {
        return new Follower(caller, path(executionId) + "/stream", numbered(from));
    }

    @Override
    public Optional<Execution> await(String executionId, Duration atMost) {
        return new Awaiting(caller, Call.get(path(executionId)), atMost).end();
    }

    private Acted act(String executionId, String what, String reason) {
        Call call = Call.post(path(executionId) + "/" + what)
                .with(new Body().put("reason", reason).json())
                .keyed(caller.key());
        return caller.read(call, Acted::read);
    }

    @Override
    public Acted cancel(String executionId, String reason) {
        return act(executionId, "cancel", reason);
    }

    @Override
    public Acted suspend(String executionId, String reason) {
        return act(executionId, "suspend", reason);
    }

    @Override
    public Acted resume(String executionId, String reason) {
        return act(executionId, "resume", reason);
    }

    @Override
    public Acted terminate(String executionId, String reason) {
        return act(executionId, "terminate", reason);
    }
}
