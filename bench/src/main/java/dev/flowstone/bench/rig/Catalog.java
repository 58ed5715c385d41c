package dev.flowstone.bench.rig;

import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesCompilation;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Publishes workloads in an empty database, and says how to start runs of them. */
final class Catalog {
    private static final String TRIGGER = "trigger";

    private final WorkflowStore store;
    private final ScriptExpressions expressions;

    Catalog(WorkflowStore store, ScriptExpressions expressions) {
        this.store = store;
        this.expressions = expressions;
    }

    /** As version 1 of a tenant's new workflow; how to start a run of it, with an empty trigger. */
    StartRequest publish(TenantId tenant, Definition definition, Instant now) throws JournalException {
        byte[] source = definition.source().getBytes(StandardCharsets.UTF_8);
        byte[] bytes = ProgramCodec.encode(program(definition, source));
        Sha256 hash = Sha256.digest(bytes);
        WorkflowId workflow = new WorkflowId(definition.id());
        WorkflowVersion version =
                new WorkflowVersion(tenant, workflow, 1, source, Sha256.digest(source), hash, bytes, now);
        if (store.save(row(tenant, workflow, now), 0, Optional.of(version)).isEmpty()) {
            throw new IllegalStateException("there is a workflow " + workflow + " already");
        }
        return new StartRequest(
                tenant,
                workflow,
                1,
                hash,
                Optional.empty(),
                Map.of(TRIGGER, JsonObject.EMPTY),
                new Actor("service", "bench"),
                "bench");
    }

    private static WorkflowRow row(TenantId tenant, WorkflowId workflow, Instant now) {
        return new WorkflowRow(
                tenant,
                workflow,
                workflow.value(),
                Optional.empty(),
                WorkflowStatus.ACTIVE,
                true,
                1,
                1,
                Optional.empty(),
                now,
                now,
                0);
    }

    private Program program(Definition definition, byte[] source) {
        Set<String> actions = new TreeSet<>(definition.actions());
        BuiltInActions.registry().actions().keySet().stream()
                .map(HandlerName::value)
                .forEach(actions::add);
        if (StatesDialect.speaks(source)) {
            StatesCompilation compilation =
                    new StatesDialect(expressions).compile(source, StatesOptions.DEFAULT, actions);
            if (compilation instanceof StatesCompilation.Compiled compiled) {
                return compiled.program();
            }
            throw new IllegalStateException("the workload is no valid definition: " + compilation);
        }
        DagCompilation compilation =
                new DagDialect(expressions).compile(source, DagOptions.DEFAULT, ActionCatalog.of(actions));
        if (compilation instanceof DagCompilation.Compiled compiled) {
            return compiled.program();
        }
        throw new IllegalStateException("the workload is no valid definition: " + compilation);
    }
}
