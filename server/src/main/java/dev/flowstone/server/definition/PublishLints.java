package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.OlderCompiler;
import dev.flowstone.dialect.dag.call.KnownWorkflows;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.lint.Beyond;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What lints say of a version that is published, knowing what the tenant's other workflows call, and its policies. Thread-safe. */
public final class PublishLints {
    /** However many workflows and policies are reached: publishing stays quick. */
    private static final int MOST = 200;

    private final Dialects dialects;
    private final Workflows workflows;
    private final Programs programs;
    private final PolicyStore policies;

    public PublishLints(Dialects dialects, Workflows workflows, Programs programs, PolicyStore policies) {
        this.dialects = requireNonNull(dialects);
        this.workflows = requireNonNull(workflows);
        this.programs = requireNonNull(programs);
        this.policies = requireNonNull(policies);
    }

    /** Warnings only: what is published has no faults. */
    public List<Fault> of(WorkflowVersion version) throws JournalException {
        Program program = ProgramCodec.decode(version.programBytes());
        Map<String, Set<String>> known = called(version.tenant(), program);
        Set<String> lacking = lacking(version.tenant(), program);
        Beyond beyond = new Beyond(id -> known.getOrDefault(id, Set.of()), lacking::contains);
        Known workflows = new Known(refusals(version.tenant(), program), known);
        Checked checked = dialects.check(version.source(), beyond, workflows);
        List<Fault> warnings = new ArrayList<>();
        checked.program().ifPresent(now -> warnings.addAll(OlderCompiler.warnings(program, now, version.source())));
        checked.faults().stream().filter(fault -> !fault.isError()).forEach(warnings::add);
        return warnings;
    }

    /** Whom the workflows call that this one reaches, each in its current version. */
    private Map<String, Set<String>> called(TenantId tenant, Program program) throws JournalException {
        Map<String, Set<String>> known = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(called(program));
        while (!open.isEmpty() && known.size() < MOST) {
            String id = open.remove();
            if (!known.containsKey(id)) {
                Set<String> next = current(tenant, new WorkflowId(id))
                        .map(PublishLints::called)
                        .orElse(Set.of());
                known.put(id, next);
                open.addAll(next);
            }
        }
        return known;
    }

    /** Why the calls that the program makes would start nothing now. */
    private Map<Callee, String> refusals(TenantId tenant, Program program) throws JournalException {
        Map<Callee, String> refusals = new HashMap<>();
        for (Callee callee : Callee.all(program).stream().limit(MOST).toList()) {
            refusal(tenant, callee).ifPresent(reason -> refusals.put(callee, reason));
        }
        return refusals;
    }

    private Optional<String> refusal(TenantId tenant, Callee callee) throws JournalException {
        WorkflowId id = new WorkflowId(callee.workflow());
        Optional<WorkflowRow> row = workflows.find(tenant, id);
        if (row.isEmpty()) {
            return Optional.of("this tenant has no workflow " + Quoted.text(id.value()));
        }
        if (row.get().status() != WorkflowStatus.ACTIVE) {
            return Optional.of("the workflow " + Quoted.text(id.value()) + " is "
                    + (row.get().status() == WorkflowStatus.DRAFT ? "only a draft" : "archived"));
        }
        if (!row.get().enabled()) {
            return Optional.of("the workflow " + Quoted.text(id.value()) + " is disabled");
        }
        Optional<Integer> version = callee.version();
        return version.isEmpty() || workflows.version(tenant, id, version.get()).isPresent()
                ? Optional.empty()
                : Optional.of("the workflow " + Quoted.text(id.value()) + " has no version " + version.get());
    }

    /** Whom a node calls, and in which version. */
    private record Callee(String workflow, Optional<Integer> version) {
        static Set<Callee> all(Program program) {
            Set<Callee> all = new LinkedHashSet<>();
            for (Node node : program.nodes()) {
                if (node instanceof Node.Call call) {
                    all.add(new Callee(call.workflow().value(), call.version()));
                }
            }
            return all;
        }
    }

    private record Known(Map<Callee, String> refusals, Map<String, Set<String>> calls) implements KnownWorkflows {
        @Override
        public Optional<String> refusal(String workflow, Optional<Integer> version) {
            return Optional.ofNullable(refusals.get(new Callee(workflow, version)));
        }

        @Override
        public Set<String> called(String workflow) {
            return calls.getOrDefault(workflow, Set.of());
        }
    }

    /** The policies that the program asks and nobody has published. */
    private Set<String> lacking(TenantId tenant, Program program) throws JournalException {
        Set<PolicyName> asked =
                program.edges().stream().flatMap(edge -> edge.policy().stream()).collect(Collectors.toSet());
        Set<String> lacking = new TreeSet<>();
        for (PolicyName name : asked.stream().limit(MOST).toList()) {
            if (policies.current(tenant, name).isEmpty()) {
                lacking.add(name.value());
            }
        }
        return lacking;
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
