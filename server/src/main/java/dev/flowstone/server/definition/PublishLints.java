package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What lints say of a version that is published, knowing what the tenant's other workflows call. Thread-safe. */
public final class PublishLints {
    /** However many workflows are reached: publishing stays quick. */
    private static final int MOST = 200;

    private final Dialects dialects;
    private final Workflows workflows;
    private final Programs programs;

    public PublishLints(Dialects dialects, Workflows workflows, Programs programs) {
        this.dialects = requireNonNull(dialects);
        this.workflows = requireNonNull(workflows);
        this.programs = requireNonNull(programs);
    }

    /** Warnings only: what is published has no faults. */
    public List<Fault> of(WorkflowVersion version) throws JournalException {
        Map<String, Set<String>> known = called(version);
        return dialects.check(version.source(), id -> known.getOrDefault(id, Set.of())).faults().stream()
                .filter(fault -> !fault.isError())
                .toList();
    }

    /** Whom the workflows call that this one reaches, each in its current version. */
    private Map<String, Set<String>> called(WorkflowVersion version) throws JournalException {
        Map<String, Set<String>> known = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(called(ProgramCodec.decode(version.programBytes())));
        while (!open.isEmpty() && known.size() < MOST) {
            String id = open.remove();
            if (!known.containsKey(id)) {
                Set<String> next = current(version.tenant(), new WorkflowId(id))
                        .map(PublishLints::called)
                        .orElse(Set.of());
                known.put(id, next);
                open.addAll(next);
            }
        }
        return known;
    }

    private Optional<Program> current(TenantId tenant, WorkflowId id) throws JournalException {
        Optional<WorkflowRow> row = workflows.find(tenant, id).filter(it -> it.currentVersion() > 0);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Optional<WorkflowVersion> version =
                workflows.version(tenant, id, row.get().currentVersion());
        return version.isEmpty()
                ? Optional.empty()
                : Optional.of(programs.program(tenant, version.get().program()).program());
    }

    private static Set<String> called(Program program) {
        Set<String> called = new TreeSet<>();
        for (Node node : program.nodes()) {
            if (node instanceof Node.Call call) {
                called.add(call.workflow().value());
            }
        }
        return called;
    }
}
