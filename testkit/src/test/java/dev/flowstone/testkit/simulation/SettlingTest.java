package dev.flowstone.testkit.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.StartRequests;
import dev.flowstone.testkit.simulation.world.Tampering;
import dev.flowstone.testkit.simulation.world.Trace;
import dev.flowstone.testkit.simulation.world.Violation;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a seed is patient: it ends when nothing is left to do, however late the last thing comes. */
final class SettlingTest {
    private static final JsonArray SOMEBODY = new JsonArray(List.of(new JsonString("u0")));

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void whoOpensATaskForPeopleOnlyWhenALongChildHasEndedIsHelpedStill(long seed) {
        // given: three levels of runs, each of which asks people when the one below has ended
        World world = world(seed, asking("w0", "w1"), asking("w1", "w2"), waiting("w2"));

        // when
        new Settling(world, world::observe).settle();

        // then
        assertEquals(3, world.runs().size());
        assertTrue(
                world.runs().stream().allMatch(log -> log.state().status().isFinal()),
                () -> world.runs().stream().map(RunLog::name).toList().toString());
    }

    @Test
    void whatNeverComesToRestIsAViolationAndNoEndlessLoop() {
        // given: a wait that is longer than anybody's patience
        World world = world(
                7,
                ProgramBuilder.dag("w0")
                        .timer("long", Duration.ofDays(2))
                        .edge("start", "long")
                        .build());

        // when
        Settling settling = new Settling(world, world::observe);

        // then
        assertEquals("I8", assertThrows(Violation.class, settling::settle).invariant());
    }

    private static World world(long seed, Program... programs) {
        World world = new World(seed, List.of(programs), Tampering.NONE, Trace.off());
        for (int i = 0; i < 3; i++) {
            world.nodes().forEach(SimulatedNode::step);
        }
        Dice dice = new Dice(seed, "test");
        world.clients()
                .ask(
                        world.nodes().getFirst(),
                        StartRequests.of(world.workflows().getFirst(), dice, Optional.of("first")));
        return world;
    }

    private static Program asking(String name, String child) {
        return ProgramBuilder.dag(name)
                .call("child", child, Map.of())
                .human("people", SOMEBODY, new Quorum.One())
                .edge("start", "child")
                .edge("child", "people")
                .build();
    }

    private static Program waiting(String name) {
        return ProgramBuilder.dag(name)
                .timer("wait", Duration.ofSeconds(20))
                .edge("start", "wait")
                .build();
    }
}
