package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.decision.Migration;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * R26 and I11: an exit out of a fork's branches counts once, when the fork settles, for the node that it leads to. Behind a fork
 * that has settled it may lead nowhere else, because that node would wait for it for ever.
 */
final class MigrationExitsTest {
    private static final String EXIT = "exit";

    /** A branch that is left for a node by an exit that keeps its name, a task, and that node behind both. */
    private static Program leaving(String to) {
        Program drawn = Programs.dag()
                .fork("fork", "join", "left")
                .join("join")
                .tasks("work", to)
                .chain("start", "fork")
                .chain("join", "work", to)
                .branch("left", "fork", "try")
                .task("try")
                .edge("try", "join")
                .on(Outcome.FAILURE, "try", to)
                .build();
        List<Edge> edges = drawn.edges().stream()
                .map(edge -> edge.on().equals(Outcome.FAILURE) ? named(edge) : edge)
                .toList();
        return new Program(
                "test",
                1,
                drawn.workflow(),
                drawn.scopes(),
                drawn.nodes(),
                edges,
                drawn.output(),
                drawn.deadline(),
                drawn.metadata());
    }

    private static Edge named(Edge edge) {
        return new Edge(
                new EdgeId(EXIT),
                edge.from(),
                edge.to(),
                edge.on(),
                edge.when(),
                edge.otherwise(),
                edge.priority(),
                edge.as(),
                edge.origin());
    }

    @Test
    void anExitOutOfAForkThatHasSettledLeadsWhereItLed() {
        Story story = Story.of(leaving("help")).start().ok("try");
        assertEquals(List.of("work"), story.open());
        Program elsewhere = leaving("aid");

        assertEquals(
                List.of("the exits out of the branches of fork would be others"),
                Migration.preview(story.state(), elsewhere, Map.of()).obstacles());
        story.rejected(
                RejectionCode.INVALID_STATE, new ControlCommand.MigrateRun(story.knowing(elsewhere), 2, Map.of()));
    }

    @Test
    void itGoesAlongWithANodeThatIsOnlyCalledOtherwise() {
        Story story = Story.of(leaving("help")).start().ok("try");
        Map<NodeId, NodeId> names = Map.of(new NodeId("help"), new NodeId("aid"));

        story.accepted(new ControlCommand.MigrateRun(story.knowing(leaving("aid")), 2, names))
                .ok("work")
                .ok("aid");

        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void beforeItsForkHasSettledItMayLeadElsewhere() {
        Story story = Story.of(leaving("help")).start();

        story.accepted(new ControlCommand.MigrateRun(story.knowing(leaving("aid")), 2, Map.of()))
                .failForGood("try")
                .ok("aid");

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(Optional.empty(), story.state().suspension());
    }

    private static Program forked(String node, boolean fork, String join) {
        Programs drawn =
                Programs.dag().chain("start", node).edge("start", "work").tasks("work", "behind");
        if (fork) {
            drawn.fork(node, join, "left").join(join);
        } else {
            drawn.task(node);
        }
        drawn.chain("work", "behind");
        if (fork) {
            drawn.branch("left", node, "try").task("try").edge("try", join).on(Outcome.FAILURE, "try", "behind");
        }
        return drawn.build();
    }

    /** A node that has settled has no exits any more, whatever it was: as a fork it would owe some for ever. */
    @Test
    void whatHasSettledBecomesNoForkWithExits() {
        Story story = Story.of(forked("a", false, "")).start().ok("a");

        assertEquals(
                List.of(
                        "the exits out of the branches of a would be others",
                        "a has settled, and another join would end its branches"),
                Migration.preview(story.state(), forked("a", true, "join"), Map.of())
                        .obstacles());
    }

    @Test
    void aForkThatHasSettledKeepsItsJoin() {
        Story story = Story.of(forked("a", true, "join")).start().ok("try");

        assertEquals(
                List.of("a has settled, and another join would end its branches"),
                Migration.preview(story.state(), forked("a", true, "other"), Map.of()).obstacles().stream()
                        .filter(obstacle -> obstacle.startsWith("a "))
                        .toList());
    }
}
