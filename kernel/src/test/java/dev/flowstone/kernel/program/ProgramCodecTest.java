package dev.flowstone.kernel.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.story.Asks;
import dev.flowstone.kernel.story.Programs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProgramCodecTest {
    private static Programs everything() {
        return Programs.flow()
                .deadline(Duration.ofMillis(1_500))
                .task(
                        "a",
                        new Retry(7, Duration.ofMillis(250), 1.7, Duration.ofHours(1), true),
                        JsonObject.builder().put("x", "{{trigger.é}}").build(),
                        true,
                        false,
                        Routing.FIRST)
                .timer("t", "PT5S")
                .end("end", new Outcome("approved"), true)
                .settlingScope("slot", "in", "out", "end")
                .tasks("in", "out")
                .edge("start", "in")
                .edge("in", "out", Outcome.ALWAYS, Optional.of("context.data['in'].ok"), false, 3)
                .edge("out", "end")
                .on(Outcome.TIMEOUT, "in", "a")
                .otherwise(Outcome.FAILURE, "a", "t")
                .edge("a", "end")
                .edge("t", "end");
    }

    @Test
    void everyFieldComesBack() {
        Program program = everything().build();

        Program back = ProgramCodec.decode(ProgramCodec.encode(program));

        assertEquals(program.dialect(), back.dialect());
        assertEquals(program.compiler(), back.compiler());
        assertEquals(program.workflow(), back.workflow());
        assertEquals(program.scopes(), back.scopes());
        assertEquals(program.nodes(), back.nodes());
        assertEquals(program.edges(), back.edges());
        assertEquals(program.output(), back.output());
        assertEquals(program.deadline(), back.deadline());
        assertEquals(program.metadata(), back.metadata());
        assertArrayEquals(ProgramCodec.encode(program), ProgramCodec.encode(back));
    }

    /** What was added later stands in the form only where it is used. */
    @Test
    void humanTasksGatesAndVariablesComeBack() {
        Program program = Programs.flow()
                .node(Asks.of("ask", "ann", "role:cfo")
                        .quorum(new Quorum.Count(2))
                        .vetoes(Asks.REJECTED)
                        .unmet(Asks.REJECTED)
                        .drift(Drift.EXIT)
                        .anyActor()
                        .remind("a", "PT1H", new Reminder.Action.Remind())
                        .remind("b", "PT2H", new Reminder.Action.Escalate(new JsonString("{{x}}"), true))
                        .remind("c", "PT3H", new Reminder.Action.Resolve(Asks.APPROVED)))
                .node(Asks.gate("gate", "ask"))
                .node(Asks.assign("set", Map.of("x", JsonObject.EMPTY)))
                .end("end")
                .edge("start", "set")
                .edge("set", "ask")
                .on(Asks.APPROVED, "ask", "gate")
                .on(Outcome.DRIFT, "ask", "ask")
                .edge("gate", "end")
                .output(new JsonString("{{variables}}"))
                .build();

        Program back = ProgramCodec.decode(ProgramCodec.encode(program));

        assertEquals(program.nodes(), back.nodes());
        assertEquals(program.output(), back.output());
        assertArrayEquals(ProgramCodec.encode(program), ProgramCodec.encode(back));
        assertEquals(List.of(), ProgramCheck.faults(program));
    }

    @Test
    void theOrderInWhichItWasPutTogetherDoesNotMatter() {
        Program program = everything().build();
        List<Node> nodes = new ArrayList<>(program.nodes()).reversed();
        List<Edge> edges = new ArrayList<>(program.edges()).reversed();
        Program other = new Program(
                "test",
                1,
                new WorkflowId("wf"),
                program.scopes().reversed(),
                nodes,
                edges,
                Output.TERMINALS,
                program.deadline(),
                JsonObject.EMPTY);

        assertEquals(ProgramCodec.hash(program), ProgramCodec.hash(other));
    }

    /** If this hash changes, every stored program gets another name: it must not. */
    @Test
    void theHashIsTheSameInEveryProcessAndRelease() {
        assertEquals(
                "997b0a6959dba2c68f705b593d9d9d26d1c48c8cc92c4310b64803e48fe49882",
                ProgramCodec.hash(everything().build()).toString());
    }

    @Test
    void refusesWhatItDidNotWrite() {
        JsonObject json = ProgramCodec.json(everything().build());
        JsonObject.Builder changed = JsonObject.builder();
        json.members().forEach((name, value) -> changed.put(name, value));
        byte[] future = CanonicalJson.exact(changed.put("format", 4).build());

        assertThrows(IllegalArgumentException.class, () -> ProgramCodec.decode(future));
        assertThrows(IllegalArgumentException.class, () -> ProgramCodec.decode(new byte[] {'{', '}'}));
        assertThrows(IllegalArgumentException.class, () -> ProgramCodec.decode(new byte[] {'{'}));
    }
}
