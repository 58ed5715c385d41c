package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.Told;
import dev.flowstone.testkit.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * I11: when a settling root scope has ended, or one inside others goes on, each of its nodes has settled, and settled once; each
 * of its edges resolved once, and a node is entered when all that lead to it are.
 */
final class EveryNodeSettles implements Invariant {
    private static final int ROOT = 0;

    @Override
    public String number() {
        return "I11";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        if (!log.state().status().isFinal()) {
            return;
        }
        List<Told> story = new ArrayList<>(log.before());
        log.events().forEach(event -> story.add(new Told(event, log.programAt(event.sequence()))));
        tell(story).ifPresent(wrong -> {
            throw broken(wrong + " in " + log.state().correlation());
        });
    }

    /** What is wrong about the whole story of a run that is over. */
    static Optional<String> tell(List<Told> story) {
        Map<Integer, SettlingInstance> open = new TreeMap<>();
        open(open, ROOT, story.getFirst().program().root());
        Program program = story.getFirst().program();
        for (Told told : story) {
            program = told.program();
            Optional<String> wrong = follow(open, program, told.event().body());
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return neverSettled(open.get(ROOT), program);
    }

    private static Optional<String> follow(Map<Integer, SettlingInstance> open, Program program, EventBody event) {
        switch (event) {
            case ControlEvent.Migrated moved -> open.values().forEach(instance -> instance.move(program, moved));
            case ControlEvent.RunReset _,
                    EventBody.RunFailing _,
                    ControlEvent.RunCanceling _,
                    ControlEvent.RunTerminating _,
                    CompensationEvent.CompensationBegan _,
                    ControlEvent.RollbackBegan _ -> open.values().forEach(SettlingInstance::forgetEdges);
            case EventBody.ScopeOpened body -> open(open, body.number(), program.scope(body.scope()));
            case EventBody.ScopeClosed body -> {
                SettlingInstance closed = open.remove(body.number());
                // Left by its continuation it had settled; any other way out cancels what lives in it, and what never
                // began doesn't.
                boolean settled = body.followed().isPresent()
                        && body.followed().equals(program.scope(body.scope()).continuation());
                return settled ? neverSettled(closed, program) : Optional.empty();
            }
            default -> {
                if (event instanceof EventBody.Transitioned ended && terminates(program, ended.activation())) {
                    open.values().forEach(SettlingInstance::forgetEdges);
                }
                Optional<ScopeId> scope =
                        visited(event).map(node -> program.node(node).scope());
                for (SettlingInstance instance : open.values()) {
                    if (scope.equals(Optional.of(instance.scope().id()))) {
                        return instance.follow(program, event);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** From here on the run ends: what is still to be entered is skipped, by whatever edges it was come to. */
    private static boolean terminates(Program program, ActivationId activation) {
        return program.node(activation.node()) instanceof Node.End end && end.terminate();
    }

    private static void open(Map<Integer, SettlingInstance> open, int number, Scope scope) {
        if (scope.kind() == Scope.Kind.SETTLING) {
            SettlingInstance fresh = new SettlingInstance(scope);
            for (SettlingInstance other : open.values()) {
                if (other.scope().id().equals(scope.id())) {
                    other.isNotAlone();
                    fresh.isNotAlone();
                }
            }
            open.put(number, fresh);
        }
    }

    private static Optional<String> neverSettled(@Nullable SettlingInstance instance, Program program) {
        return Optional.ofNullable(instance)
                .flatMap(known -> known.missing(program)
                        .map(node -> node + " of scope " + known.scope().id() + " never settled"));
    }

    private static Optional<NodeId> visited(EventBody event) {
        Optional<ActivationId> activation = switch (event) {
            case EventBody.ActivationOpened body -> Optional.of(body.activation());
            case EventBody.ActivationCanceled body -> Optional.of(body.activation());
            case EventBody.ActivationSkipped body -> Optional.of(body.activation());
            case EventBody.Transitioned body -> Optional.of(body.activation());
            default -> Optional.empty();
        };
        return activation.map(ActivationId::node);
    }
}
