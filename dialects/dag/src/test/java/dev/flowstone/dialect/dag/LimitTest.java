package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.program.Program;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Large definitions are refused by a limit that names itself, and compile quickly when it is raised. */
final class LimitTest {
    private static final DagOptions RAISED = DagOptions.DEFAULT.withLimits(it -> it.withNodes(20_000, 50_000));
    private static final Duration QUICKLY = Duration.ofSeconds(20);

    @Test
    void compilesAChainOfTenThousandNodes() {
        String source = chain(10_000);

        Program program = Assertions.assertTimeout(QUICKLY, () -> Dags.program(source, RAISED));

        assertEquals(10_001, program.nodes().size());
        assertEquals(10_000, program.edges().size());
    }

    @Test
    void compilesAFanOutOfAThousand() {
        String source = fan(1_000);

        Program program = Assertions.assertTimeout(QUICKLY, () -> Dags.program(source, RAISED));

        assertEquals(1_003, program.nodes().size());
        assertEquals(2_001, program.edges().size());
    }

    @Test
    void compilesTenThousandNodesThatAllReadAnother() {
        String[] nodes = IntStream.range(0, 10_000)
                .mapToObj(i -> "{\"id\":\"n" + i
                        + "\",\"actionType\":\"core.echo\",\"parameters\":{\"x\":\"{{ context.data.n" + (i / 2)
                        + ".x }}\"}" + (i < 9_999 ? ",\"edges\":[{\"targetNode\":\"n" + (i + 1) + "\"}]}" : "}"))
                .toArray(String[]::new);
        String source = Dags.workflow(nodes).replace("\"startNode\":\"a\"", "\"startNode\":\"n0\"");

        List<Fault> faults = Assertions.assertTimeout(
                QUICKLY, () -> Dags.compile(source, RAISED).faults());

        assertEquals(List.of("1 NOT_UPSTREAM /nodes/0/parameters/x"), Dags.brief(faults));
    }

    @Test
    void refusesMoreNodesThanTheLimitAndSaysHowToRaiseIt() {
        assertEquals(1_001, Dags.program(fan(998)).nodes().size());

        Fault fault = only(FaultCode.TOO_MANY_NODES, Dags.compile(chain(1_001)).faults());

        assertEquals("the workflow has 1001 nodes, more than 1000", fault.message());
        assertTrue(fault.remedy().contains("raise the limit dag.maxNodesPerWorkflow"), fault.remedy());
        only(FaultCode.TOO_MANY_NODES, Dags.compile(chain(10_000)).faults());
    }

    @Test
    void refusesADelayThatNoRunCouldWaitForWhateverTheLimitAllows() {
        Duration ages = Duration.ofDays(100_000_000);
        DagOptions patient = DagOptions.DEFAULT.withLimits(it -> it.withMaxDelay(ages));

        for (String parameter : List.of("\"duration\":\"P4000000D\"", "\"durationMs\":345600000000000")) {
            String source =
                    Dags.workflow("{\"id\":\"a\",\"actionType\":\"core.delay\",\"parameters\":{" + parameter + "}}");
            String pointer = "/nodes/0/parameters/" + parameter.substring(1, parameter.indexOf('"', 1));

            Fault fault = Dags.compile(source, patient).faults().stream()
                    .filter(Fault::isError)
                    .findFirst()
                    .orElseThrow();

            assertEquals(FaultCode.OUT_OF_RANGE, fault.code());
            assertEquals(pointer, fault.pointer());
            assertTrue(fault.message().contains("before the year 10000"), fault.message());
        }
    }

    @Test
    void refusesMoreEdgesThanTheLimit() {
        DagOptions few = DagOptions.DEFAULT.withLimits(it -> it.withNodes(100, 3));

        Fault fault = only(FaultCode.TOO_MANY_EDGES, Dags.compile(chain(5), few).faults());

        assertTrue(fault.remedy().contains("maxEdgesPerWorkflow"), fault.remedy());
    }

    @Test
    void refusesMoreExpressionsThanTheLimit() {
        DagOptions few = DagOptions.DEFAULT.withLimits(it -> it.withNodes(1, 1));
        String source = Dags.workflow(
                "{\"id\":\"a\",\"actionType\":\"core.echo\",\"parameters\":{\"x\":[\"{{ 1 }}\",\"{{ 2 }}\",\"{{ 3 }}\",\"{{ 4 }}\",\"{{ 5 }}\",\"{{\"]}}");

        Fault fault =
                only(FaultCode.TOO_MANY_EXPRESSIONS, Dags.compile(source, few).faults());

        assertTrue(fault.remedy().contains("maxNodesPerWorkflow"), fault.remedy());
    }

    @Test
    void refusesALongTextWithoutReadingIt() {
        DagOptions small = DagOptions.DEFAULT.withLimits(it -> it.withSourceBytes(100));

        Fault fault = only(
                FaultCode.SOURCE_TOO_LARGE, Dags.compile("x".repeat(101), small).faults());

        assertEquals("the definition has 101 bytes, more than 100", fault.message());
        assertTrue(fault.remedy().contains("maxSourceBytes"), fault.remedy());
    }

    @Test
    void namesTheLimitOfNesting() {
        Fault fault = only(
                FaultCode.JSON_SYNTAX,
                Dags.compile("[".repeat(65) + "]".repeat(65)).faults());

        assertTrue(fault.remedy().contains("nested at most 64 deep (limit dag.maxNesting)"), fault.remedy());
    }

    @Test
    void showsManyFaultsUpToABoundAndCountsTheRest() {
        DagOptions ten = DagOptions.DEFAULT.withLimits(it -> it.withFaults(10));
        String[] nodes =
                IntStream.range(0, 30).mapToObj(i -> "{\"id\":\"n" + i + "\"}").toArray(String[]::new);

        List<Fault> faults = Dags.compile(Dags.workflow(nodes), ten).faults();

        assertEquals(11, faults.size());
        assertEquals(FaultCode.MORE_FAULTS, faults.getLast().code());
        assertEquals("21 more faults aren't shown", faults.getLast().message());
    }

    @Test
    void namesALongCircleShortly() {
        String source = chain(10_000).replace("{\"id\":\"n9999\",", "{\"id\":\"n9999\",\"onFailure\":\"a\",");

        Fault fault = only(FaultCode.CYCLE, Dags.compile(source, RAISED).faults());

        assertEquals(
                "this edge closes a circle: a → n1 → n2 → n3 → n4 → … (9990 more) → n9995 → n9996 → n9997 → n9998 → n9999 → a",
                fault.message());
    }

    private static Fault only(FaultCode code, List<Fault> faults) {
        assertEquals(List.of(code), faults.stream().map(Fault::code).toList(), faults::toString);
        return faults.getFirst();
    }

    private static String chain(int length) {
        return Dags.workflow(IntStream.range(0, length)
                .mapToObj(i -> Dags.node(name(i), i + 1 < length ? new String[] {name(i + 1)} : new String[0]))
                .toArray(String[]::new));
    }

    private static String fan(int width) {
        String[] all = IntStream.range(0, width).mapToObj(i -> "b" + i).toArray(String[]::new);
        String[] nodes = IntStream.range(0, width + 2)
                .mapToObj(i ->
                        i == 0 ? Dags.node("a", all) : i <= width ? Dags.node("b" + (i - 1), "end") : Dags.node("end"))
                .toArray(String[]::new);
        return Dags.workflow(nodes);
    }

    private static String name(int i) {
        return i == 0 ? "a" : "n" + i;
    }
}
