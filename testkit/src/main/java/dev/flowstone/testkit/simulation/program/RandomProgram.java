package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.testkit.simulation.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One program by chance: acyclic graphs, state machines with scopes inside, trips that can be undone. Never a faulty one. */
public final class RandomProgram {
    private final Dice dice;
    private final Sketch sketch;

    private RandomProgram(Dice dice, boolean settling, String another) {
        this.dice = dice;
        this.sketch = new Sketch(dice, settling, another);
    }

    /** The program of a world's workflow with this name. */
    public static Program of(long seed, String workflow) {
        Dice dice = new Dice(seed, "program", workflow);
        int kind = dice.below(6);
        RandomProgram random = new RandomProgram(dice, kind < 2, another(workflow));
        Program program = switch (kind) {
            case 0, 1 -> random.graph(workflow);
            case 2, 3 -> random.machine(workflow);
            default -> random.trip(workflow);
        };
        for (ProgramFault fault : ProgramCheck.faults(program)) {
            if (fault.code() != ProgramFault.Code.UNREACHABLE) {
                throw new IllegalStateException("the generator made a faulty program: " + fault);
            }
        }
        return program;
    }

    /** The next one's name, so that calls lead somewhere and end. */
    private static String another(String workflow) {
        return "w" + (workflow.charAt(1) - '0' + 1);
    }

    private Program graph(String workflow) {
        new StartPiece().write(sketch, "start");
        List<String> nodes = acyclic("n", dice.between(1, 7));
        sketch.plain("start", nodes.getFirst());
        return sketch.program(
                workflow,
                sketch.hasComposites() || dice.percent(25)
                        ? Optional.of(Duration.ofSeconds(dice.between(20, 300)))
                        : Optional.empty());
    }

    /** Nodes of the scope at hand, each with a way in from one before it. */
    private List<String> acyclic(String prefix, int size) {
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(prefix + i);
            sketch.piece(prefix + i, i > 0);
        }
        for (int to = 1; to < size; to++) {
            int ways = dice.between(1, 3);
            for (int way = 0; way < ways; way++) {
                String from = nodes.get(dice.below(to));
                sketch.edge(sketch.isEnd(from) ? nodes.getFirst() : from, nodes.get(to));
            }
        }
        return nodes;
    }

    private Program machine(String workflow) {
        new StartPiece().write(sketch, "start");
        List<String> nodes = new ArrayList<>();
        int size = dice.between(2, 5);
        for (int i = 0; i < size; i++) {
            nodes.add("n" + i);
            sketch.piece("n" + i, i > 0);
        }
        List<String> targets = new ArrayList<>(nodes);
        int inner = dice.below(3);
        for (int i = 0; i < inner; i++) {
            targets.add(settling("s" + i, nodes));
        }
        if (dice.percent(50)) {
            targets.add(flow(nodes));
        }
        sketch.plain("start", nodes.getFirst());
        for (String from : nodes) {
            int ways = sketch.isEnd(from) ? 0 : dice.between(1, 3);
            for (int way = 0; way < ways; way++) {
                sketch.edge(from, dice.pick(targets));
            }
        }
        return sketch.program(workflow, Optional.of(Duration.ofSeconds(dice.between(20, 180))));
    }

    private Program trip(String workflow) {
        new StartPiece().write(sketch, "start");
        sketch.plain("start", new Trip(sketch).write());
        return sketch.program(workflow, Optional.of(Duration.ofSeconds(dice.between(100, 600))));
    }

    private String flow(List<String> around) {
        sketch.begin("inner", false);
        sketch.piece("f0", false);
        sketch.piece("f1", true);
        sketch.edge("f0", "f1");
        sketch.edge("f0", dice.pick(around));
        sketch.endFlow("f0");
        return "f0";
    }

    private String settling(String name, List<String> around) {
        sketch.begin(name, true);
        List<String> inside = acyclic(name + "n", dice.between(1, 4));
        String next = dice.pick(around);
        String last = dice.pick(inside);
        // An End can't go on.
        String out = sketch.isEnd(last) ? inside.getFirst() : last;
        for (String node : inside) {
            if (!sketch.isEnd(node) && dice.percent(25)) {
                sketch.edge(node, dice.pick(around));
            }
        }
        sketch.endSettling(inside.getFirst(), out, next);
        return inside.getFirst();
    }
}
