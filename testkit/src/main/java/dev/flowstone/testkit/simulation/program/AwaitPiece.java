package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A wait for a signal or for permits, some with a timeout. All runs share few channels and semaphores. */
final class AwaitPiece implements ProgramPiece {
    static final List<String> KEYS = List.of("k0", "k1", "{{trigger.k}}", "{{trigger.k}}", "{{nowhere.to.be.found}}");
    private static final List<String> WITHIN = List.of("PT1S", "PT2S", "PT10S", "PT40S", "nonsense");

    @Override
    public Class<? extends Node> kind() {
        return Node.Await.class;
    }

    @Override
    public int weight() {
        return 8;
    }

    @Override
    public void write(Sketch sketch, String id) {
        if (sketch.dice().percent(35)) {
            permit(sketch, id);
        } else {
            add(
                    sketch,
                    id,
                    new Source.Channel(
                            Signals.TYPE, new JsonString(sketch.dice().pick(KEYS))));
        }
    }

    /** A wait for permits. */
    static void permit(Sketch sketch, String id) {
        Dice dice = sketch.dice();
        sketch.permits().add(id);
        add(
                sketch,
                id,
                new Source.Permit(
                        new JsonString("s" + dice.below(2)),
                        dice.between(2, 3),
                        dice.between(1, 2),
                        Duration.ofSeconds(dice.between(5, 60))));
    }

    private static void add(Sketch sketch, String id, Source source) {
        Dice dice = sketch.dice();
        Optional<JsonValue> within =
                dice.percent(65) ? Optional.of(new JsonString(dice.pick(WITHIN))) : Optional.empty();
        sketch.add(new Node.Await(
                new NodeId(id),
                sketch.scope(),
                source,
                within,
                sketch.routing(),
                sketch.mayEnd(),
                new Origin("/nodes/" + id)));
    }
}
