package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Backoff;
import java.time.Duration;
import java.util.Optional;

/** Executions over REST. */
final class RestExecutions implements Executions {
    private static final String ROOT = "/api/v1/executions";

    /** Between two looks at whether one is over. */
    private static final Backoff LOOKS = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

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
        Call call = Call.post(path).with(start.body(caller).json()).keyed(start.requestId());
        String key = call.key().orElseThrow();
        Answered answered = caller.call(call);
        return caller.shaped(call, answered, it -> {
            Tree tree = Tree.of(it.body());
            return new StartedExecution(
                    tree.text("executionId"),
                    tree.word("status", ExecutionStatus.class, ExecutionStatus.UNKNOWN),
                    it.status() == 202,
                    key);
        });
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
        long end = System.nanoTime() + atMost.toNanos();
        Optional<String> tag = Optional.empty();
        for (int looks = 1; ; looks++) {
            Call call = Call.get(path(executionId)).unless(tag);
            Answered answered = caller.call(call);
            if (answered.status() != 304) {
                Execution execution = caller.shaped(call, answered, it -> Execution.read(Tree.of(it.body())));
                if (execution.status().isOver()) {
                    return Optional.of(execution);
                }
                tag = answered.tag();
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return Optional.empty();
            }
            Duration pause = LOOKS.after(looks);
            caller.pause(call, pause.toNanos() < left ? pause : Duration.ofNanos(left));
        }
    }

    private Acted act(String executionId, String what, String reason) {
        Call call = Call.post(path(executionId) + "/" + what)
                .with(new Body().put("reason", reason).json())
                .keyed(Optional.empty());
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
