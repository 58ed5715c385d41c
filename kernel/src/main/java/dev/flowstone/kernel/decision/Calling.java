package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Parentage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts a child (R22): its version is pinned by the event, its id derived, its depth bounded, recursion refused. */
final class Calling {
    private Calling() {}

    static void begin(Deciding deciding, Node.Call node, ActivationId id) {
        Optional<TaskError> refused = refused(deciding, node.workflow());
        if (refused.isPresent()) {
            Dispatching.failed(deciding, id, 1, refused.get());
            return;
        }
        Fact fact = new Fact.CalledProgram(node.workflow(), node.version());
        JsonValue program = deciding.env().facts().get(fact);
        if (program == null) {
            throw new MissingFactException(fact);
        }
        if (program.equals(JsonNull.NULL)) {
            Dispatching.failed(deciding, id, 1, unknown(node));
            return;
        }
        JsonObject templates = Timeouts.with(
                        JsonObject.builder().put("input", JsonObject.of(node.input())), node.timeout())
                .build();
        switch (deciding.render(templates)) {
            case Rendering.Failed failed -> Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
            case Rendering.Rendered rendered ->
                begin(deciding, node, id, JsonCursor.of(program), (JsonObject) rendered.value());
        }
    }

    private static void begin(
            Deciding deciding, Node.Call node, ActivationId id, JsonCursor program, JsonObject rendered) {
        JsonValue timeout = rendered.get("timeout");
        Optional<Instant> due = timeout == null ? Optional.empty() : Timeouts.due(deciding, timeout);
        if (timeout != null && due.isEmpty()) {
            Dispatching.failed(deciding, id, 1, Waiting.invalid(timeout));
            return;
        }
        Map<String, Payload> input = new HashMap<>();
        if (rendered.get("input") instanceof JsonObject roots) {
            roots.members().forEach((name, value) -> input.put(name, Payload.of(value)));
        }
        Optional<String> misnamed = StartRun.misnamed(input.keySet());
        if (misnamed.isPresent()) {
            Dispatching.failed(deciding, id, 1, TaskError.of("INVALID_INPUT", misnamed.get()));
            return;
        }
        start(deciding, node, id, program, input);
        if (node.waits() && deciding.state().post().child(id) != null) {
            due.ifPresent(at -> Timeouts.set(deciding, id, at));
        }
    }

    private static void start(
            Deciding deciding, Node.Call node, ActivationId id, JsonCursor program, Map<String, Payload> input) {
        Draft state = deciding.state();
        RunId run = state.run().orElseThrow();
        RunId child = Keys.child(state.tenant().orElseThrow(), run, state.lastSequence() + 1, deciding.now());
        int version = program.intValue("version");
        Sha256 hash = program.as("program", Sha256::parse);
        ChildStarted started = new ChildStarted(id, child, node.workflow(), version, hash, input, node.waits());
        if (!deciding.offer(started)) {
            TaskError error = TaskError.of(
                    "INPUT_TOO_LARGE",
                    "the input is longer than an event may be: "
                            + deciding.bounds().eventBytes());
            Dispatching.failed(deciding, id, 1, error);
            return;
        }
        Optional<Parentage> parentage = state.post().parentage();
        deciding.send(
                child,
                new Message.StartChild(
                        node.workflow(),
                        version,
                        hash,
                        input,
                        id,
                        node.waits(),
                        parentage.map(Parentage::root).orElse(run),
                        depth(state) + 1,
                        lineage(state),
                        state.correlation(),
                        state.post().principal()));
    }

    private static Optional<TaskError> refused(Deciding deciding, WorkflowId called) {
        Draft state = deciding.state();
        MessageBounds bounds = deciding.bounds().messages();
        if (depth(state) >= bounds.depth()) {
            return Optional.of(TaskError.of(
                    "NESTING_TOO_DEEP", "runs call each other at most " + bounds.depth() + " levels deep"));
        }
        if (!bounds.recursion() && lineage(state).contains(called)) {
            return Optional.of(
                    TaskError.of("RECURSION_REFUSED", called + " is called below itself, which is not allowed"));
        }
        return Optional.empty();
    }

    private static int depth(Draft state) {
        return state.post().parentage().map(Parentage::depth).orElse(0);
    }

    /** The workflows above a child of this run. */
    private static List<WorkflowId> lineage(Draft state) {
        List<WorkflowId> lineage =
                new ArrayList<>(state.post().parentage().map(Parentage::lineage).orElse(List.of()));
        lineage.add(state.program().workflow());
        return lineage;
    }

    private static TaskError unknown(Node.Call node) {
        return TaskError.of(
                "UNKNOWN_WORKFLOW",
                node.version()
                        .map(version -> "there is no version " + version + " of workflow " + node.workflow()
                                + ", or the workflow isn't active")
                        .orElse("workflow " + node.workflow() + " is unknown, or has no active version"));
    }
}
