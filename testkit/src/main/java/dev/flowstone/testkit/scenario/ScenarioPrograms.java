package dev.flowstone.testkit.scenario;

import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.testkit.scenario.file.Given;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs that a scenario has, all published: its own, those that it may call, and next versions of any. */
final class ScenarioPrograms {
    private final Published first;
    private final Map<WorkflowId, Published> workflows = new LinkedHashMap<>();
    private final List<Published> versions = new ArrayList<>();

    ScenarioPrograms(WorkflowStore store, TenantId tenant, Program program, Given given) {
        Instant now = given.now();
        this.first = Published.in(store, tenant, program, now);
        workflows.put(program.workflow(), first);
        for (Program beside : given.workflows()) {
            Published known = workflows.get(beside.workflow());
            if (known == null) {
                workflows.put(beside.workflow(), Published.in(store, tenant, beside, now));
            } else if (!known.hash().equals(ProgramCodec.hash(beside))) {
                versions.add(Published.next(store, tenant, beside, now));
            }
        }
        given.versions().forEach(it -> versions.add(Published.next(store, tenant, it, now)));
    }

    /** The one that the scenario is about. */
    Published first() {
        return first;
    }

    /** The first version of a workflow; the scenario's own if there is none of that name. */
    Published of(WorkflowId workflow) {
        return workflows.getOrDefault(workflow, first);
    }

    List<Program> all() {
        return published().map(Published::program).toList();
    }

    Optional<Program> known(Sha256 hash) {
        return published()
                .filter(it -> it.hash().equals(hash))
                .map(Published::program)
                .findFirst();
    }

    Optional<Sha256> version(WorkflowId workflow, int version) {
        return published()
                .filter(it -> it.program().workflow().equals(workflow) && it.version() == version)
                .map(Published::hash)
                .findFirst();
    }

    private Stream<Published> published() {
        return Stream.concat(workflows.values().stream(), versions.stream());
    }
}
