package dev.flowstone.bench;

import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The workload: five no-op steps, one after another, written as a user would write them. */
final class Sequence {
    static final int STEPS = 5;
    static final String ACTION = "bench.no-op";
    private static final TenantId TENANT = new TenantId("bench");
    private static final WorkflowId WORKFLOW = new WorkflowId("sequence");

    private Sequence() {}

    /** Publishes it, as version 1 of a new workflow; how to start a run of it. */
    static StartRequest publish(WorkflowStore store, ScriptExpressions expressions, Instant now)
            throws JournalException {
        byte[] source = source().getBytes(StandardCharsets.UTF_8);
        DagCompilation compilation =
                new DagDialect(expressions).compile(source, DagOptions.DEFAULT, ActionCatalog.of(List.of(ACTION)));
        if (!(compilation instanceof DagCompilation.Compiled compiled)) {
            throw new IllegalStateException("the workload is no valid definition: " + compilation.faults());
        }
        Program program = compiled.program();
        byte[] bytes = ProgramCodec.encode(program);
        Sha256 hash = Sha256.digest(bytes);
        WorkflowVersion version =
                new WorkflowVersion(TENANT, WORKFLOW, 1, source, Sha256.digest(source), hash, bytes, now);
        WorkflowRow row = new WorkflowRow(
                TENANT,
                WORKFLOW,
                "Sequence",
                Optional.empty(),
                WorkflowStatus.ACTIVE,
                true,
                1,
                1,
                Optional.empty(),
                now,
                now,
                0);
        if (store.save(row, 0, Optional.of(version)).isEmpty()) {
            throw new IllegalStateException("the scratch database isn't empty");
        }
        return new StartRequest(
                TENANT,
                WORKFLOW,
                1,
                hash,
                Optional.empty(),
                Map.of("trigger", JsonObject.EMPTY),
                new Actor("service", "bench"),
                "bench");
    }

    private static String source() {
        StringBuilder nodes = new StringBuilder();
        for (int i = 1; i <= STEPS; i++) {
            String edges = i == STEPS ? "" : ", \"edges\": [{\"targetNode\": \"step-" + (i + 1) + "\"}]";
            nodes.append(i == 1 ? "" : ", ")
                    .append("{\"id\": \"step-" + i + "\", \"actionType\": \"" + ACTION + "\"" + edges + "}");
        }
        return "{\"id\": \"sequence\", \"displayName\": \"Sequence\", \"startNode\": \"step-1\", \"nodes\": [" + nodes
                + "]}";
    }
}
