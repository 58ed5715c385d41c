package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.definition.Checked;
import dev.flowstone.server.node.Flowstone;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ten thousand nodes in a chain and a fan-out of a thousand: refused by default, and run where the limits are raised. */
@ExtendWith(SharedHouse.class)
final class LargeGraphTest {
    private static final int CHAIN = 10_000;
    private static final int WIDTH = 1_000;

    @Test
    void theDefaultLimitsRefuseTenThousandNodesAndNameTheLimit() throws Exception {
        Fault fault = refusal(chain("chain", CHAIN));

        assertEquals(FaultCode.TOO_MANY_NODES, fault.code());
        assertEquals("/nodes", fault.pointer());
        assertTrue(fault.remedy().contains("dag.maxNodesPerWorkflow"), fault.remedy());
    }

    @Test
    void theDefaultLimitsRefuseAFanOutOfAThousandBecauseOfItsTwoEnds() throws Exception {
        Fault fault = refusal(fanOut("fan-out", WIDTH));

        assertEquals(FaultCode.TOO_MANY_NODES, fault.code());
        assertTrue(fault.remedy().contains("dag.maxNodesPerWorkflow"), fault.remedy());
    }

    @Test
    void aChainOfTenThousandNodesRunsToItsEnd(House house) throws Exception {
        house.publish(chain("chain", CHAIN));

        RunRow row = house.run("chain", "{\"trigger\": {\"n\": 7615917337495251231}}");

        assertEquals(RunStatus.SUCCEEDED, row.status());
        // The deadline's timer is set and canceled, and the entry is a node of its own.
        assertEquals(
                Map.of(
                        "RunStarted",
                        1L,
                        "TimerSet",
                        1L,
                        "ActivationOpened",
                        CHAIN + 1L,
                        "TaskScheduled",
                        (long) CHAIN,
                        "TaskCompleted",
                        (long) CHAIN,
                        "Transitioned",
                        CHAIN + 1L,
                        "TimerCanceled",
                        1L,
                        "RunCompleted",
                        1L),
                kinds(house, row));
        assertEquals(House.value("{\"n\": 7615917337495251231}"), output(house, row));
        assertEquals(
                new ChainReport(1, row.lastSequence(), Optional.empty()),
                house.verifier().run(row.key()));
    }

    @Test
    void aFanOutOfAThousandJoinsOnce(House house) throws Exception {
        house.publish(fanOut("fan-out", WIDTH));

        RunRow row = house.run("fan-out", "{}");

        assertEquals(RunStatus.SUCCEEDED, row.status());
        Map<String, Long> kinds = kinds(house, row);
        // How often a decision reaches its bound depends on how many results come in at once.
        kinds.remove("ContinueScheduled");
        assertEquals(
                Map.of(
                        "RunStarted",
                        1L,
                        "TimerSet",
                        1L,
                        "ActivationOpened",
                        WIDTH + 3L,
                        "TaskScheduled",
                        WIDTH + 2L,
                        "TaskCompleted",
                        WIDTH + 2L,
                        "Transitioned",
                        WIDTH + 3L,
                        "TimerCanceled",
                        1L,
                        "RunCompleted",
                        1L),
                kinds);
        EventBody.ActivationOpened join = house.history(row).all(EventBody.ActivationOpened.class).stream()
                .filter(opened -> opened.activation().node().value().equals("join"))
                .findFirst()
                .orElseThrow();
        assertEquals(WIDTH, join.via().size());
        assertEquals(House.value("{\"first\": 1, \"last\": " + WIDTH + "}"), output(house, row));
        assertEquals(
                new ChainReport(1, row.lastSequence(), Optional.empty()),
                house.verifier().run(row.key()));
    }

    /** The only fault by the default configuration. */
    private static Fault refusal(String definition) throws Exception {
        Checked checked = Flowstone.definitions(House.config(Path.of("unused"), Map.of()))
                .check(definition.getBytes(StandardCharsets.UTF_8));
        assertTrue(checked.program().isEmpty());
        return checked.faults().getFirst();
    }

    private static Map<String, Long> kinds(House house, RunRow row) {
        return house.history(row).events().stream()
                .map(Event::body)
                .collect(Collectors.groupingBy(EventBody::kind, TreeMap::new, Collectors.counting()));
    }

    private static Object output(House house, RunRow row) {
        EventBody.RunCompleted end =
                house.history(row).all(EventBody.RunCompleted.class).getFirst();
        return assertInstanceOf(Payload.Inline.class, end.output()).value();
    }

    /** Each node hands on what the one before it gave. */
    private static String chain(String id, int length) {
        String nodes = IntStream.range(0, length)
                .mapToObj(i -> "{\"id\": \"n" + i + "\", \"actionType\": \"core.echo\", \"parameters\": {\"n\": \"{{ "
                        + (i == 0 ? "trigger.n" : "context.data.n" + (i - 1) + ".n") + " }}\"}"
                        + (i == length - 1 ? "" : ", \"edges\": [{\"targetNode\": \"n" + (i + 1) + "\"}]") + "}")
                .collect(Collectors.joining(",\n"));
        return "{\"id\": \"" + id + "\", \"displayName\": \"Long\", \"startNode\": \"n0\", \"nodes\": [\n" + nodes
                + "]}";
    }

    private static String fanOut(String id, int width) {
        String edges = IntStream.rangeClosed(1, width)
                .mapToObj(i -> "{\"targetNode\": \"b" + i + "\"}")
                .collect(Collectors.joining(","));
        String branches = IntStream.rangeClosed(1, width)
                .mapToObj(i -> "{\"id\": \"b" + i + "\", \"actionType\": \"core.echo\", \"parameters\": {\"i\": " + i
                        + "}, \"edges\": [{\"targetNode\": \"join\"}]}")
                .collect(Collectors.joining(",\n"));
        return "{\"id\": \"" + id + "\", \"displayName\": \"Wide\", \"startNode\": \"first\", \"nodes\": [\n"
                + "{\"id\": \"first\", \"actionType\": \"core.echo\", \"edges\": [" + edges + "]},\n" + branches + ",\n"
                + "{\"id\": \"join\", \"actionType\": \"core.echo\", \"parameters\": {\"first\": \"{{ context.data.b1.i }}\","
                + " \"last\": \"{{ context.data.b" + width + ".i }}\"}}]}";
    }
}
