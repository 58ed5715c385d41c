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
import java.util.Locale;
import java.util.Optional;

/** Executions as those that called them know them, and as they are themselves. */
final class ChildJson {
    private ChildJson() {}

    /** In the list of one execution's children. */
    static JsonObject.Builder child(Child child) {
        return JsonObject.builder()
                .put("executionId", child.id().toString())
                .put("activation", child.started().activation().toString())
                .put("workflowId", child.started().called().value())
                .put("workflowVersion", child.started().childVersion())
                .put("awaited", child.started().awaited())
                .put("startedAt", child.startedAt().toString())
                .put("ended", text(child.ended().map(it -> it.ended().name())))
                .put("error", text(child.ended().flatMap(it -> it.error().map(error -> error.code()))));
    }

    /** The same with how it stands now. */
    static JsonObject expanded(Child child, Optional<RunRow> row) {
        return child(child)
                .put("nodeId", child.started().activation().node().value())
                .put("status", status(Optional.of(child), row))
                .put("endTime", text(row.flatMap(RunRow::endedAt).map(Instant::toString)))
                .build();
    }

    /** In the tree. */
    static JsonObject member(Family.Member member, Optional<RunRow> row) {
        Optional<Child> child = member.child();
        Optional<String> workflow = row.map(it -> it.workflow().value())
                .or(() -> child.map(it -> it.started().called().value()));
        int version = row.map(RunRow::version)
                .or(() -> child.map(it -> it.started().childVersion()))
                .orElse(0);
        Optional<Instant> start = row.map(RunRow::startedAt).or(() -> child.map(Child::startedAt));
        return JsonObject.builder()
                .put("executionId", member.run().toString())
                .put("parentExecutionId", text(member.parent().map(Object::toString)))
                .put("depth", member.depth())
                .put(
                        "nodeId",
                        text(child.map(it -> it.started().activation().node().value())))
                .put("activation", text(child.map(it -> it.started().activation().toString())))
                .put("awaited", child.map(it -> it.started().awaited()).orElse(false))
                .put("workflowId", text(workflow))
                .put("workflowVersion", version)
                .put("status", status(child, row))
                .put("startTime", text(start.map(Instant::toString)))
                .put("endTime", text(row.flatMap(RunRow::endedAt).map(Instant::toString)))
                .build();
    }

    /** One that was called and has not begun is pending; of one that was archived its caller knows how it ended. */
    private static String status(Optional<Child> child, Optional<RunRow> row) {
        return row.map(it -> ExecutionStatus.of(it.status()).toString())
                .or(() -> child.flatMap(Child::ended).map(it -> ended(it.ended())))
                .orElse(ExecutionStatus.PENDING.toString());
    }

    private static String ended(Ended how) {
        return switch (how) {
            case SUCCEEDED -> ExecutionStatus.SUCCEEDED.toString();
            case FAILED, REFUSED -> ExecutionStatus.FAILED.toString();
            case CANCELED -> ExecutionStatus.CANCELLED.toString();
        };
    }

    /** Of equal length for all, so that its order is that of the numbers. */
    static String place(long sequence) {
        return String.format(Locale.ROOT, "%018d", sequence);
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
