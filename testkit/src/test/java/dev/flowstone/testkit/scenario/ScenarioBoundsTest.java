package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.scenario.file.DialectCompilers;
import dev.flowstone.testkit.scenario.file.ReadFile;
import dev.flowstone.testkit.scenario.file.ScenarioFile;
import dev.flowstone.testkit.scenario.file.ScenarioReader;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that go on without end are given up, and it is told why: no dialect writes them yet, so they are built here. */
final class ScenarioBoundsTest {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("start");
    private static final NodeId WAIT = new NodeId("wait");

    /** Waits, and waits again, for ever. */
    private static Program loop(Duration wait) {
        Origin origin = new Origin("/nodes/0");
        return new Program(
                "testkit",
                1,
                new WorkflowId("loop"),
                List.of(new Scope(
                        ROOT,
                        Optional.empty(),
                        Scope.Kind.FLOW,
                        Scope.FailurePolicy.FAIL,
                        START,
                        Optional.empty(),
                        Optional.empty())),
                List.of(
                        new Node.Start(START, ROOT, Routing.FIRST, Origin.COMPILER),
                        new Node.Timer(WAIT, ROOT, new JsonString(wait.toString()), Routing.FIRST, true, origin)),
                List.of(edge(START, WAIT), edge(WAIT, WAIT)),
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.EMPTY);
    }

    private static Edge edge(NodeId from, NodeId to) {
        return new Edge(
                new EdgeId(from + "->" + to), from, to, Outcome.SUCCESS, Optional.empty(), false, 0, Origin.COMPILER);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, still waiting for: incident RUNAWAY_LOOP",
        "PT1S, it is not followed further; still waiting for: timer wait (wait) due 2026-01-01T02:46:",
        "P300D, nothing will happen until 2036-01-09T00:00:00Z; still waiting for: timer wait (wait) due 2036-"
    })
    void aLoopIsGivenUpWithWhatItWaitsFor(Duration wait, String reason) {
        ScenarioFile file = assertInstanceOf(
                        ReadFile.Sound.class,
                        new ScenarioReader(new DialectCompilers())
                                .read(Path.of("a.yaml"), """
                                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.echo}]}
                                scenarios: [{name: endless, then: {}}]
                                """.getBytes(StandardCharsets.UTF_8)))
                .file();
        ScenarioFile loop = new ScenarioFile(file.file(), "loop", loop(wait), file.scenarios());

        ScenarioResult result = ScenarioFiles.run(loop, loop.scenarios().getFirst());

        assertFalse(result.passed());
        assertTrue(result.told().contains(reason), result::told);
    }
}
