package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.DagCompilation.Refused;
import dev.flowstone.dialect.dag.call.KnownWorkflows;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.ChildAnswer;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Routing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes that call another workflow, settings of a definition, and parameters that are rendered without data. */
final class SubworkflowTest {
    @Test
    void becomesACallWhoseParametersAreTheChildsTrigger() {
        Node.Call call = call("\"workflowId\":\"child\",\"workflowVersion\":2,\"routePolicy\":\"firstMatch\","
                + "\"parameters\":{\"input\":\"{{ trigger.data }}\"}");

        assertEquals("child", call.workflow().value());
        assertEquals(Optional.of(2), call.version());
        assertEquals(
                Map.of(
                        "trigger",
                        JsonObject.builder().put("input", "{{ trigger.data }}").build(),
                        "spec",
                        JsonObject.EMPTY),
                call.input());
        assertEquals(ChildPolicies.CASCADE, call.policies());
        assertEquals(ChildAnswer.WRAPPED, call.answer());
        assertEquals(Routing.FIRST, call.routing());
        assertEquals("/nodes/0", call.origin().pointer());
    }

    @Test
    void isWaitedForAnHourUnlessItSaysOtherwise() {
        assertEquals(
                Optional.of(JsonNumber.of(3_600_000)),
                call("\"workflowId\":\"x\"").timeout());
        assertEquals(
                Optional.of(JsonNumber.of(250)),
                call("\"workflowId\":\"x\",\"policies\":{\"timeoutMs\":250}").timeout());
        DagOptions options = DagOptions.DEFAULT.withDefaults(it -> it.withChildTimeout(Duration.ofMinutes(3)));
        Program program = Dags.program(workflow("\"workflowId\":\"x\""), options);
        assertEquals(
                Optional.of(JsonNumber.of(180_000)),
                assertInstanceOf(Node.Call.class, program.node(new NodeId("a"))).timeout());
    }

    @Test
    void isSpawnedIfItIsNotToBeWaitedFor() {
        Node.Call call = call("\"workflowId\":\"x\",\"waitForCompletion\":false");

        assertFalse(call.waits());
        assertEquals(Optional.empty(), call.timeout());
    }

    @Test
    void givesAProgramThatTheKernelTakesAndThatComesBack() {
        Program program = Dags.program(workflow("\"workflowId\":\"x\",\"onFailure\":\"b\"", Dags.node("b")));

        assertEquals(List.of(), ProgramCheck.faults(program));
        assertEquals(ProgramCodec.hash(program), ProgramCodec.hash(ProgramCodec.decode(ProgramCodec.encode(program))));
    }

    @Test
    void mayCallAWorkflowOfAnotherDialectByItsName() {
        assertEquals(
                "Order Flow", call("\"workflowId\":\"Order Flow\"").workflow().value());
    }

    @Test
    void warnsOfWhatACallCouldNotStartNowAndOfCircles() {
        KnownWorkflows known = new KnownWorkflows() {
            @Override
            public Optional<String> refusal(String workflow, Optional<Integer> version) {
                return workflow.equals("gone") && version.equals(Optional.of(7))
                        ? Optional.of("the workflow 'gone' has no version 7")
                        : Optional.empty();
            }

            @Override
            public Set<String> called(String workflow) {
                return workflow.equals("ring") ? Set.of("w") : Set.of();
            }
        };
        String source = Dags.workflow(
                "{\"id\":\"a\",\"nodeType\":\"subworkflow\",\"workflowId\":\"gone\",\"workflowVersion\":7,"
                        + "\"edges\":[{\"targetNode\":\"b\"}]}",
                "{\"id\":\"b\",\"nodeType\":\"subworkflow\",\"workflowId\":\"ring\"}");

        List<Fault> faults = Dags.DIALECT
                .compile(source.getBytes(StandardCharsets.UTF_8), DagOptions.DEFAULT, Dags.ACTIONS, known)
                .faults();

        assertEquals(
                List.of("1 UNKNOWN_WORKFLOW /nodes/0/workflowId", "1 RECURSIVE_CALL /nodes/1/workflowId"),
                Dags.brief(faults));
        assertEquals(
                "a call would fail now: the workflow 'gone' has no version 7",
                faults.getFirst().message());
        assertEquals(List.of(), Dags.compile(source).faults(), "nothing is known without a catalog");
    }

    @Test
    void warnsOfATimeThatIsNeverUpBecauseTheRunsIsBefore() {
        String hour = "\"workflowId\":\"x\",\"policies\":{\"timeoutMs\":3600000}";
        String longer = workflow(hour).replaceFirst("\\{", "{\"settings\":{\"timeoutMs\":3600001},");
        String shorter = workflow("\"workflowId\":\"x\",\"policies\":{\"timeoutMs\":250}")
                .replaceFirst("\\{", "{\"settings\":{\"timeoutMs\":250},");

        List<String> warned = List.of("1 TIMEOUT_BEYOND_DEADLINE /nodes/0/policies/timeoutMs");
        assertEquals(warned, Dags.brief(Dags.compile(workflow(hour)).faults()));
        assertEquals(List.of(), Dags.compile(longer).faults());
        assertEquals(warned, Dags.brief(Dags.compile(shorter).faults()), "this run's own deadline");
        assertEquals(List.of(), Dags.compile(workflow("\"workflowId\":\"x\"")).faults(), "the defaults are silent");
        assertFalse(
                Dags.brief(Dags.compile(workflow(hour + ",\"waitForCompletion\":false"))
                                .faults())
                        .containsAll(warned),
                "nobody waits for it");
    }

    @Test
    void takesTheRunsTimeoutFromTheSettings() {
        String source = Dags.workflow(
                        "{\"id\":\"a\",\"actionType\":\"core.delay\",\"parameters\":{\"duration\":\"PT2H\"}}")
                .replaceFirst("\\{", "{\"settings\":{\"timeoutMs\":10800000},");
        Compiled compiled = assertInstanceOf(Compiled.class, Dags.compile(source));

        assertEquals(Optional.of(Duration.ofHours(3)), compiled.program().deadline());
        assertEquals(List.of(), compiled.faults(), "the delay ends before this run's own deadline");
        assertEquals(
                List.of("displayName"),
                List.copyOf(compiled.program().metadata().members().keySet()),
                "the deadline says it all");
    }

    @Test
    void leavesProgramsWithoutSettingsAsTheyWere() {
        String plain = Dags.workflow(Dags.node("a"));

        assertEquals(
                ProgramCodec.hash(Dags.program(plain)),
                ProgramCodec.hash(Dags.program(plain.replaceFirst("\\{", "{\"settings\":{},"))));
        assertEquals(
                ProgramCodec.hash(Dags.program(plain)),
                ProgramCodec.hash(Dags.program(plain.replaceFirst("\\{", "{\"settings\":{\"timeoutMs\":3600000},"))));
    }

    @Test
    void rendersParametersWithoutDataIfItIsToldTo() {
        String source = Dags.workflow("{\"id\":\"a\",\"actionType\":\"core.echo\",\"parameters\":{"
                + "\"fine\":\"{{ trigger.x ?? 1 }}\",\"data\":[\"{{ trigger.x.y }}\",\"{{ context.data.a }}\"],"
                + "\"never\":\"{{ 'text'.nowhere.further }}\"}}");
        DagOptions dry = DagOptions.DEFAULT.rendering(true);

        assertInstanceOf(Refused.class, Dags.compile(source, dry));
        assertEquals(
                List.of(
                        "1 TEMPLATE_NEEDS_DATA /nodes/0/parameters/data/0",
                        "1 TEMPLATE_NEEDS_DATA /nodes/0/parameters/data/1",
                        "1 TEMPLATE_FAILS /nodes/0/parameters/never"),
                Dags.brief(Dags.compile(source, dry).faults()).stream()
                        .filter(it -> it.contains("TEMPLATE"))
                        .toList());
        assertFalse(
                Dags.compile(source).faults().stream().anyMatch(Fault::isError),
                "it is dear, and not done unless it is asked for");
        assertInstanceOf(Compiled.class, Dags.compile(source.replace("'text'.nowhere.further", "'text'"), dry));
    }

    private static String workflow(String call, String... more) {
        String[] nodes = new String[more.length + 1];
        nodes[0] = "{\"id\":\"a\",\"nodeType\":\"subworkflow\"," + call + "}";
        System.arraycopy(more, 0, nodes, 1, more.length);
        return Dags.workflow(nodes);
    }

    private static Node.Call call(String members) {
        return assertInstanceOf(Node.Call.class, Dags.program(workflow(members)).node(new NodeId("a")));
    }
}
