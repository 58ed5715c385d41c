package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunCounts;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How many executions are in which status. */
final class AggregateRoutes {
    /** Runs that one call looks at if it asks for young ones. */
    static final int MOST = 25_000;

    private final RunReader runs;

    AggregateRoutes(RunReader runs) {
        this.runs = requireNonNull(runs);
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/aggregates", Scope.EXECUTIONS_READ, ExecutionDocs.AGGREGATES, this::counts));
    }

    private Reply counts(Call call) throws ProblemException, JournalException {
        Optional<WorkflowId> ofWorkflow = call.query().meaning("workflowId", WorkflowId::new);
        Optional<Instant> since = call.query().time("startedSince");
        RunCounts counts = since.isPresent()
                ? runs.countsSince(call.tenant(), ofWorkflow, since.get(), MOST)
                : runs.counts(call.tenant(), ofWorkflow);
        Map<String, Map<ExecutionStatus, Long>> byWorkflow = new TreeMap<>();
        for (RunCounts.Group group : counts.groups()) {
            byWorkflow
                    .computeIfAbsent(group.workflow().value(), _ -> new TreeMap<>())
                    .merge(ExecutionStatus.of(group.status()), group.runs(), Long::sum);
        }
        List<JsonValue> items = new ArrayList<>();
        byWorkflow.forEach((workflow, byStatus) -> {
            JsonObject.Builder statuses = JsonObject.builder();
            byStatus.forEach((status, number) -> statuses.put(status.toString(), number));
            items.add(JsonObject.builder()
                    .put("workflowId", workflow)
                    .put(
                            "executions",
                            byStatus.values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum())
                    .put("byStatus", statuses.build())
                    .build());
        });
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("items", new JsonArray(items))
                        .put("counted", counts.counted())
                        .put("complete", JsonBoolean.of(counts.complete()))
                        .build());
    }
}
