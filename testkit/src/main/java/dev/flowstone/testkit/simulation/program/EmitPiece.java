package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Target;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Signals;
import java.time.Duration;
import java.util.Optional;

/** Signals, named or not, broadcasts, and permits given back. */
final class EmitPiece implements ProgramPiece {
    @Override
    public Class<? extends Node> kind() {
        return Node.Emit.class;
    }

    @Override
    public int weight() {
        return 4;
    }

    @Override
    public void write(Sketch sketch, String id) {
        write(sketch, id, target(sketch));
    }

    /** One for this target. */
    static void write(Sketch sketch, String id, Target target) {
        sketch.add(new Node.Emit(
                new NodeId(id), sketch.scope(), target, sketch.routing(), sketch.mayEnd(), new Origin("/nodes/" + id)));
    }

    private static Target target(Sketch sketch) {
        Dice dice = sketch.dice();
        if (!sketch.permits().isEmpty() && dice.percent(50)) {
            return new Target.Release(new NodeId(dice.pick(sketch.permits())));
        }
        JsonString key = new JsonString(dice.pick(AwaitPiece.KEYS));
        JsonObject payload = JsonObject.builder()
                .put("x", "{{trigger.x}}")
                .put("n", dice.below(9))
                .build();
        return dice.percent(30)
                ? new Target.Broadcast(Signals.TYPE, key, payload)
                : new Target.Channel(
                        Signals.TYPE,
                        key,
                        payload,
                        dice.percent(30) ? Optional.of(new JsonString("d" + dice.below(3))) : Optional.empty(),
                        Duration.ofSeconds(dice.between(0, 90)));
    }
}
