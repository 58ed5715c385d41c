package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads where a request wants executions to move: a published version of their workflow, and the map of names. */
final class MigrationTargets {
    private final WorkflowStore workflows;
    private final Programs programs;

    MigrationTargets(WorkflowStore workflows, Programs programs) {
        this.workflows = requireNonNull(workflows);
        this.programs = requireNonNull(programs);
    }

    /** Without a version, the current one. */
    MigrationTarget of(TenantId tenant, WorkflowId workflow, Fields body) throws ProblemException, JournalException {
        Optional<WorkflowRow> row = workflows.find(tenant, workflow);
        if (row.isEmpty()) {
            throw Answers.unknown(workflow);
        }
        Optional<Integer> asked = body.number("version", 1, Integer.MAX_VALUE);
        int number = asked.isPresent() ? asked.get() : row.get().currentVersion();
        Optional<WorkflowVersion> version = number < 1 ? Optional.empty() : workflows.version(tenant, workflow, number);
        if (version.isEmpty()) {
            throw Problem.of(
                            ProblemCode.VERSION_NOT_FOUND,
                            number < 1
                                    ? "the workflow has no published version to move to"
                                    : "the workflow has no version " + number)
                    .exception();
        }
        return new MigrationTarget(
                number,
                version.get().program(),
                programs.program(tenant, version.get().program()).program(),
                nodes(body));
    }

    private static Map<NodeId, NodeId> nodes(Fields body) throws ProblemException {
        Optional<Fields> map = body.object("nodes");
        Map<NodeId, NodeId> nodes = new HashMap<>();
        if (map.isPresent()) {
            for (Map.Entry<String, JsonValue> name : map.get().json().members().entrySet()) {
                if (!(name.getValue() instanceof JsonString(String now))) {
                    throw malformed(body);
                }
                try {
                    nodes.put(new NodeId(name.getKey()), new NodeId(now));
                } catch (IllegalArgumentException e) {
                    throw malformed(body);
                }
            }
        }
        return nodes;
    }

    private static ProblemException malformed(Fields body) {
        return body.wrong("nodes", "'nodes' gives nodes new names", "write {\"old node\": \"new node\"}");
    }
}
