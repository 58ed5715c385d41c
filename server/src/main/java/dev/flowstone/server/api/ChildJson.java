package dev.flowstone.server.api;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.server.execution.Child;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Family;
import java.time.Instant;
import java.util.Optional;

/** Executions as those that called them know them, and as they are themselves. */
final class ChildJson {
    private ChildJson() {}

    /** In the list of one execution's children. */
    static JsonObject.Builder child(Child child) {
        return JsonObject.builder()
                .put("executionId", child.id().toString())
                .put("activation", child.activation().toString())
                .put("workflowId", child.workflow().value())
                .put("workflowVersion", child.version())
                .put("awaited", child.awaited())
                .put("startedAt", child.startedAt().toString())
                .put("ended", text(child.ended().map(Ended::name)))
                .put("error", text(child.error()));
    }

    /**
     * The same with how it stands now.
     *
     * @param alone whether its caller is over, or gone
     */
    static JsonObject expanded(Child child, Optional<RunRow> row, boolean alone) {
        return child(child)
                .put("nodeId", child.activation().node().value())
                .put("status", text(status(Optional.of(child), row, alone)))
                .put("endTime", text(row.flatMap(RunRow::endedAt).map(Instant::toString)))
                .build();
    }

    /**
     * In the tree.
     *
     * @param alone whether its caller is over, or gone
     */
    static JsonObject member(Family.Member member, Optional<RunRow> row, boolean alone) {
        Optional<Child> child = member.child();
        Optional<String> workflow = row.map(it -> it.workflow().value())
                .or(() -> child.map(it -> it.workflow().value()));
        int version =
                row.map(RunRow::version).or(() -> child.map(Child::version)).orElse(0);
        Optional<Instant> start = row.map(RunRow::startedAt).or(() -> child.map(Child::startedAt));
        return JsonObject.builder()
                .put("executionId", member.run().toString())
                .put("parentExecutionId", text(member.parent().map(Object::toString)))
                .put("depth", member.depth())
                .put("nodeId", text(child.map(it -> it.activation().node().value())))
                .put("activation", text(child.map(it -> it.activation().toString())))
                .put("awaited", child.map(Child::awaited).orElse(false))
                .put("workflowId", text(workflow))
                .put("workflowVersion", version)
                .put("status", text(status(child, row, alone)))
                .put("startTime", text(start.map(Instant::toString)))
                .put("endTime", text(row.flatMap(RunRow::endedAt).map(Instant::toString)))
                .build();
    }

    /**
     * One that was called and has not begun is pending; of one that was archived its caller knows how it ended. Where its
     * caller couldn't have heard of that, nobody knows which of the two it is.
     */
    private static Optional<String> status(Optional<Child> child, Optional<RunRow> row, boolean alone) {
        return row.map(it -> ExecutionStatus.of(it.status()).toString())
                .or(() -> child.flatMap(Child::ended).map(ChildJson::ended))
                .or(() -> child.filter(it -> it.expected() && !alone).map(_ -> ExecutionStatus.PENDING.toString()));
    }

    private static String ended(Ended how) {
        return switch (how) {
            case SUCCEEDED -> ExecutionStatus.SUCCEEDED.toString();
            case FAILED, REFUSED -> ExecutionStatus.FAILED.toString();
            case CANCELED -> ExecutionStatus.CANCELLED.toString();
        };
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
