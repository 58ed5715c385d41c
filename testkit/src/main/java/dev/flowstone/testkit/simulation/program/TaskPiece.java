package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Handlers;
import java.time.Duration;
import java.util.Optional;

/** A task, with and without retries, with and without an input that reads what came before, with and without an undoing. */
final class TaskPiece implements ProgramPiece {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Override
    public Class<? extends Node> kind() {
        return Node.Task.class;
    }

    @Override
    public int weight() {
        return 15;
    }

    @Override
    public void write(Sketch sketch, String id) {
        Dice dice = sketch.dice();
        boolean all = sketch.isSettling() && dice.percent(66);
        sketch.add(new Node.Task(
                new NodeId(id),
                sketch.scope(),
                handler(sketch),
                input(dice),
                retry(dice),
                TIMEOUT,
                dice.percent(20),
                undo(sketch),
                gate(sketch),
                all ? Routing.ALL : Routing.FIRST,
                sketch.mayEnd(),
                new Origin("/nodes/" + id)));
    }

    /** Some use what people have decided. */
    private static Optional<NodeId> gate(Sketch sketch) {
        return sketch.humans().isEmpty() || sketch.dice().percent(25)
                ? Optional.empty()
                : Optional.of(new NodeId(sketch.dice().pick(sketch.humans())));
    }

    private static JsonValue input(Dice dice) {
        return switch (dice.below(10)) {
            // Fails to render unless that node has run.
            case 0 -> JsonObject.builder().put("x", "{{context.data.n1.n}}").build();
            case 1, 2, 3 -> JsonObject.builder().put("all", "{{context.data}}").build();
            default -> JsonObject.builder().put("x", "{{trigger.x}}").build();
        };
    }

    /** In some programs most change what their run is about, in some many are for workers in other processes. */
    static HandlerName handler(Sketch sketch) {
        if (sketch.isDoneOutside() && sketch.dice().percent(50)) {
            return Handlers.OUTSIDE;
        }
        return sketch.isAboutSubjects() && sketch.dice().percent(80) ? Handlers.MUTATE : Handlers.WORK;
    }

    /** Some can be undone: by a handler like any other, which may fail for good, or only by a person's word. */
    private static Optional<Compensation> undo(Sketch sketch) {
        Dice dice = sketch.dice();
        return switch (dice.below(10)) {
            case 0, 1, 2, 3, 4 ->
                Optional.of(new Compensation.ByHandler(handler(sketch), undoing(dice), retry(dice), TIMEOUT));
            case 5 -> Optional.of(new Compensation.Attested("look after it"));
            default -> Optional.empty();
        };
    }

    private static JsonValue undoing(Dice dice) {
        // Now and then one can't even be asked for: its input fails to render.
        return dice.percent(10)
                ? new JsonString("{{nowhere.to.be.found}}")
                : JsonObject.builder().put("done", "{{context.data}}").build();
    }

    private static Retry retry(Dice dice) {
        return switch (dice.below(3)) {
            case 0 -> Retry.NONE;
            case 1 -> new Retry(2, Duration.ZERO, 1, Duration.ZERO, false);
            default -> new Retry(3, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), true);
        };
    }
}
