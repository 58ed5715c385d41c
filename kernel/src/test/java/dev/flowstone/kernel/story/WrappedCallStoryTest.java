package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Calls of JSON DAGs (dataflow.md §9.5): what the parent sees of its child. */
final class WrappedCallStoryTest {
    private static final JsonObject FOUND =
            JsonObject.builder().put("result", "found").build();

    private final Post post = new Post();

    private static Program child() {
        return Programs.dag().named("child").task("work").edge("start", "work").build();
    }

    private static Programs caller(boolean waits, String reads) {
        return Programs.dag()
                .named("parent")
                .wrapped("call", "child", waits)
                .task("next", Retry.NONE, new JsonString("{{context.data.call." + reads + "}}"), true, Routing.ALL)
                .edge("start", "call")
                .edge("call", "next");
    }

    private Party childOf(Party parent) {
        return post.party(parent.all(ChildStarted.class).getLast().child());
    }

    private static JsonValue input(Party run, String node) {
        return run.all(EventBody.TaskScheduled.class).stream()
                .filter(it -> it.activation().node().equals(new NodeId(node)))
                .findFirst()
                .flatMap(EventBody.TaskScheduled::input)
                .map(it -> ((Payload.Inline) it).value())
                .orElseThrow(() -> new AssertionError(run.tale()));
    }

    @Test
    void theChildsOutputIsReadUnderOutputs() {
        post.published(child());
        Party parent = post.start(caller(true, "outputs.result"));
        post.deliver();
        post.ok(childOf(parent), "work", FOUND);
        post.deliver();

        assertEquals(new JsonString("found"), input(parent, "next"));
        assertEquals(Payload.of(FOUND), parent.all(ChildEnded.class).getFirst().output(), "the event keeps it bare");
    }

    @Test
    void aRunThatEndsWithACallGivesWhatTheChildGave() {
        post.published(child());
        Party parent = post.start(
                Programs.dag().named("parent").wrapped("call", "child", true).edge("start", "call"));
        post.deliver();
        post.ok(childOf(parent), "work", FOUND);
        post.deliver();

        assertEquals(FOUND, parent.output());
    }

    @Test
    void aSpawnedChildIsNamedAndHasNoOutputs() {
        post.published(child());
        Party parent = post.start(caller(false, "executionId"));
        post.deliver();

        assertEquals(new JsonString(childOf(parent).id().toString()), input(parent, "next"));
        Party other = post.start(caller(false, "outputs"));
        post.deliver();
        assertEquals(JsonNull.NULL, input(other, "next"));
    }

    /** Without the flag the outcome is {@code canceled}, which is no failure: the parent would succeed. */
    @Test
    void aCanceledChildFailsItsParent() {
        post.published(child());
        Party parent = post.start(
                Programs.dag().named("parent").wrapped("call", "child", true).edge("start", "call"));
        post.deliver();
        cancel(childOf(parent));

        assertEquals(Ended.CANCELED, parent.all(ChildEnded.class).getFirst().ended());
        assertEquals(RunStatus.FAILED, parent.status());
    }

    @Test
    void aCanceledChildIsHandledByAFailureEdgeWhichReadsItsError() {
        post.published(child());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .wrapped("call", "child", true)
                .task("mend", Retry.NONE, new JsonString("{{context.data.call.errorNode}}"), true, Routing.ALL)
                .edge("start", "call")
                .on(Outcome.FAILURE, "call", "mend"));
        post.deliver();
        cancel(childOf(parent));

        assertEquals(new JsonString("call"), input(parent, "mend"), "a failure isn't wrapped");
        post.ok(parent, "mend");
        assertEquals(RunStatus.SUCCEEDED, parent.status());
    }

    @Test
    void aFailedChildsErrorIsNotWrapped() {
        post.published(child());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .wrapped("call", "child", true)
                .task("mend", Retry.NONE, new JsonString("{{context.data.call.error.code}}"), true, Routing.ALL)
                .edge("start", "call")
                .on(Outcome.FAILURE, "call", "mend"));
        post.deliver();
        post.answer(childOf(parent), "work#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();

        assertEquals(new JsonString("BROKEN"), input(parent, "mend"));
    }

    @Test
    void whatStandsInThePayloadStoreIsWrappedByWhoeverReadsIt() {
        Node call = caller(true, "outputs").build().node(new NodeId("call"));
        Node plain = Programs.dag()
                .call("call", "child")
                .edge("start", "call")
                .build()
                .node(new NodeId("call"));
        Payload stored = new Payload.Stored(Sha256.digest(new byte[] {1}), 40_000);

        assertEquals(JsonObject.builder().put("outputs", FOUND).build(), ChildResult.seen(call, stored, FOUND));
        assertEquals(FOUND, ChildResult.seen(call, Payload.of(FOUND), FOUND), "wrapped when it was kept");
        assertEquals(FOUND, ChildResult.seen(plain, stored, FOUND));
        assertEquals(stored, ChildResult.output(call, stored));
    }

    @Test
    void theFlagComesBackAndItsAbsenceKeepsOldForms() {
        Program plain =
                Programs.dag().call("call", "child").edge("start", "call").build();
        Program wrapped = caller(true, "outputs").build();

        String bare = new String(ProgramCodec.encode(plain), StandardCharsets.UTF_8);
        assertFalse(bare.contains("\"answer\""), bare);
        assertTrue(bare.contains("\"format\":1,"), bare);
        String flagged = new String(ProgramCodec.encode(wrapped), StandardCharsets.UTF_8);
        assertTrue(flagged.contains("\"answer\":\"WRAPPED\""), flagged);
        assertTrue(flagged.contains("\"format\":2,"), "a release that doesn't know the flag must not read it");
        assertArrayEquals(
                ProgramCodec.encode(wrapped), ProgramCodec.encode(ProgramCodec.decode(ProgramCodec.encode(wrapped))));
        assertEquals(
                wrapped.nodes(),
                ProgramCodec.decode(ProgramCodec.encode(wrapped)).nodes());
        assertEquals(
                plain.nodes(), ProgramCodec.decode(ProgramCodec.encode(plain)).nodes());
    }

    /** It is over when its open attempt has answered (R23). */
    private void cancel(Party child) {
        post.accepted(child, new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty()));
        post.ok(child, "work");
        post.deliver();
    }
}
