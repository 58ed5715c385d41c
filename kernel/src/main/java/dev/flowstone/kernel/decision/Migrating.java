package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.TimerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Moves a waiting run to another program (R26). Timers of renamed activations are set again under the new names. */
final class Migrating {
    private Migrating() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, ControlCommand.MigrateRun command) {
        Draft state = deciding.state();
        Sha256 from = state.programHash();
        if (command.program().equals(from)) {
            return Optional.empty();
        }
        if (command.version() < 0) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.INVALID_COMMAND, "a workflow's version is 0 or more, not " + command.version()));
        }
        Optional<Program> to = state.programs().find(command.program());
        if (to.isEmpty()) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.NOT_FOUND, "program " + command.program() + " is not known here"));
        }
        Migration.Preview preview = Migration.of(state, to.get(), command.nodes());
        if (!preview.isPossible()) {
            return Controlling.invalid(Answers.text(String.join("; ", preview.obstacles()), Answers.MESSAGE));
        }
        List<TimerState> renamed = new ArrayList<>();
        for (TimerState timer : state.timers()) {
            if (timer.activation().map(id -> command.nodes().get(id.node())).isPresent()) {
                renamed.add(timer);
                deciding.emit(new EventBody.TimerCanceled(timer.timer(), timer.generation()));
            }
        }
        deciding.emit(new ControlEvent.Migrated(
                from,
                command.program(),
                command.version(),
                command.nodes(),
                used(new Move(state, to.get(), command.nodes()))));
        for (TimerState timer : renamed) {
            again(deciding, command, timer);
        }
        return Optional.empty();
    }

    /** Names of visits behind which no node of the new program counts on by itself. */
    private static Map<NodeId, Integer> used(Move move) {
        Map<NodeId, Integer> used = move.given();
        Map<NodeId, Integer> goOn = new HashMap<>();
        for (Node node : move.state().program().nodes()) {
            int visits =
                    move.state().node(move.state().topology().place(node.id())).visits();
            goOn.merge(move.name(node.id()), visits, Math::max);
        }
        used.entrySet()
                .removeIf(
                        name -> move.to().has(name.getKey()) && goOn.getOrDefault(name.getKey(), 0) >= name.getValue());
        return used;
    }

    private static void again(Deciding deciding, ControlCommand.MigrateRun command, TimerState timer) {
        ActivationId old = timer.activation().orElseThrow();
        NodeId name = command.nodes().getOrDefault(old.node(), old.node());
        TimerState now = timer.renamed(new ActivationId(name, old.visit()));
        deciding.emit(
                new EventBody.TimerSet(now.timer(), now.generation(), now.dueAt(), now.purpose(), now.activation()));
    }
}
