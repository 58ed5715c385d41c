package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.Published;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every program that runs of a world may follow: what may be started, and from which to which they may be moved. */
final class Repertoire {
    private final WorkflowStore store;
    private final List<Published> workflows = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();
    private final Map<Sha256, Program> programs = new HashMap<>();

    Repertoire(WorkflowStore store, Collection<Program> first, Instant now) {
        this.store = store;
        for (Program program : first) {
            Published published = Published.in(store, World.TENANT, program, now);
            workflows.add(published);
            programs.put(published.hash(), published.program());
        }
    }

    /** The next version of a workflow; {@code names} are new names of nodes by those of its first version. */
    void publish(Program next, Map<NodeId, NodeId> names, Instant now) {
        Published first = workflows.stream()
                .filter(one -> one.program().workflow().equals(next.workflow()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such workflow: " + next));
        Published second = Published.next(store, World.TENANT, next, now);
        programs.put(second.hash(), next);
        Map<NodeId, NodeId> back = new HashMap<>();
        names.forEach((old, fresh) -> back.put(fresh, old));
        moves.add(new Move(first, second, names));
        moves.add(new Move(second, first, back));
    }

    List<Published> workflows() {
        return workflows;
    }

    List<Move> moves() {
        return moves;
    }

    /** The one with this hash, an aggregate's too. */
    Optional<Program> program(Sha256 hash) {
        return Optional.ofNullable(programs.get(hash)).or(() -> Aggregates.program(hash));
    }
}
