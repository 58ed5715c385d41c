package dev.flowstone.testkit.simulation;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.simulation.invariant.Invariant;
import dev.flowstone.testkit.simulation.invariant.Invariants;
import dev.flowstone.testkit.simulation.program.NextVersion;
import dev.flowstone.testkit.simulation.program.RandomPolicy;
import dev.flowstone.testkit.simulation.program.RandomProgram;
import dev.flowstone.testkit.simulation.world.Coverage;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.Tampering;
import dev.flowstone.testkit.simulation.world.Trace;
import dev.flowstone.testkit.simulation.world.Violation;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** One seed, from the birth of its world to its rest. The same plan gives the same result, here and on any machine. */
final class Simulation {
    private final Plan plan;
    private final World world;
    private final List<Invariant> invariants = Invariants.fresh();

    private Simulation(Plan plan, Tampering tampering, Trace trace) {
        this.plan = plan;
        int workflows = new Dice(plan.seed(), "workflows").between(2, 3);
        List<Program> programs = IntStream.range(0, workflows)
                .mapToObj(i -> RandomProgram.of(plan.seed(), "w" + i))
                .toList();
        this.world = new World(plan.seed(), programs, tampering, trace);
        Dice policies = new Dice(plan.seed(), "policies");
        world.policies().publish(RandomPolicy.NAMES.getFirst(), RandomPolicy.bundle(policies));
        if (policies.percent(60)) {
            world.policies().publish(RandomPolicy.NAMES.get(1), RandomPolicy.bundle(policies));
        }
        for (Program program : programs) {
            NextVersion next = NextVersion.of(plan.seed(), program);
            world.publish(next.program(), next.names());
        }
    }

    /**
     * What became of a seed.
     *
     * @param digest of everything that is stored at its end
     */
    record Result(Coverage coverage, Optional<Violation> violation, long runs, long events, int digest) {}

    static Result of(Plan plan, Tampering tampering, Trace trace) {
        return new Simulation(plan, tampering, trace).run();
    }

    private Result run() {
        Optional<Violation> violation = Optional.empty();
        try {
            play();
        } catch (Violation seen) {
            violation = Optional.of(seen);
        } catch (RuntimeException e) {
            violation = Optional.of(new Violation("ENGINE", "it threw " + e + " at " + place(e)));
        }
        int digest = 1;
        long events = 0;
        for (RunLog log : world.logs().values()) {
            events += log.events().size();
            digest = 31 * digest + log.state().lastHash().hashCode();
            world.coverage().count(Coverage.Sort.ENDING, log.state().status().name());
        }
        return new Result(world.coverage(), violation, world.logs().size(), events, digest);
    }

    private static String place(RuntimeException thrown) {
        return Arrays.stream(thrown.getStackTrace()).limit(6).toList().toString();
    }

    private void play() {
        world.trace().step("begin");
        for (int i = 0; i < 3; i++) {
            world.nodes().forEach(SimulatedNode::step);
        }
        Steps steps = new Steps(plan.seed());
        for (int number : plan.steps()) {
            steps.happen(world, number);
            check();
        }
        new Settling(world, this::check).settle();
        for (Invariant invariant : invariants) {
            invariant.ended(world);
        }
    }

    private void check() {
        Map<RunLog, List<Event>> moved = world.observe();
        moved.forEach((log, fresh) -> {
            for (Invariant invariant : invariants) {
                invariant.moved(world, log, fresh);
            }
        });
        for (Invariant invariant : invariants) {
            invariant.stepped(world);
        }
    }
}
