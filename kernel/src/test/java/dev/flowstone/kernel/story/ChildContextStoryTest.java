package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.event.DataEvent.ContextPruned;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** dataflow.md §8.4 of what children give: it counts in their parent's context like what actions give, if it is taken. */
final class ChildContextStoryTest {
    private static final ChildPolicy LAST = ChildPolicy.COMPLETE_THEN_CANCEL;

    private final Post post = new Post();

    private static Program child() {
        return Programs.dag().named("child").task("work").edge("start", "work").build();
    }

    private void childGives(Party parent, int characters) {
        Party child = post.party(parent.all(ChildStarted.class).getLast().child());
        post.ok(child, "work", new JsonString("x".repeat(characters)));
        post.deliver();
    }

    @Test
    void anOutputThatIsTooMuchForTheParentIsWhatItsProgramSays() {
        post.published(child());
        Map<Overflow, String> expected = new TreeMap<>(Map.of(
                Overflow.FAIL, "CONTEXT_TOO_LARGE",
                Overflow.AUTO_PRUNE_OLDEST, "{\"outputs\":\"" + "x".repeat(60) + "\"}",
                Overflow.DROP_OVERSIZE, "{\"$omitted\":{\"bytes\":74}}"));
        expected.forEach((overflow, what) -> {
            Party parent = post.start(Programs.dag()
                    .named("parent")
                    .task("first")
                    .wrapped("call", "child", true)
                    .task("next")
                    .chain("start", "first", "call", "next")
                    .context(overflow, 130));
            post.ok(parent, "first", new JsonString("y".repeat(70)));
            post.deliver();
            childGives(parent, 60);

            String kept = CanonicalJson.exactText(parent.state().toJson());
            assertTrue(kept.contains(what), kept);
            assertEquals(overflow == Overflow.FAIL, parent.status() == RunStatus.FAILED, kept);
            assertEquals(
                    overflow == Overflow.FAIL ? 0 : 1,
                    parent.all(ContextPruned.class).size());
        });
    }

    @Test
    void ofAChildThatNobodyWaitsForNothingIsTaken() {
        post.published(child());
        for (Overflow overflow : Overflow.values()) {
            Party parent = post.start(Programs.dag()
                    .named("parent")
                    .wrapped("call", "child", false)
                    .task("beside")
                    .edge("start", "call")
                    .edge("start", "beside")
                    .context(overflow, 130));
            post.deliver();
            childGives(parent, 200);
            nothingIsTaken(parent);
        }
    }

    /** The call is over, or its time is: what its child gives is neither measured nor marked. */
    @Test
    void ofAChildThatEndsTooLateNothingIsTaken() {
        post.published(child());
        for (Overflow overflow : Overflow.values()) {
            Programs calls = Programs.dag()
                    .named("parent")
                    .call("call", "child", true, Optional.of("PT1H"), new ChildPolicies(LAST, LAST, LAST, LAST))
                    .task("beside")
                    .task("late")
                    .edge("start", "call")
                    .edge("start", "beside")
                    .on(Outcome.TIMEOUT, "call", "late")
                    .context(overflow, 400);
            Party overdue = post.start(calls);
            post.deliver();
            post.fire(overdue, "call#1/timeout");
            childGives(overdue, 600);
            nothingIsTaken(overdue);

            Party failing = post.start(calls);
            post.deliver();
            post.answer(failing, "beside#1", Story.failed(FailureClass.PERMANENT));
            childGives(failing, 600);
            nothingIsTaken(failing);
        }
    }

    private static void nothingIsTaken(Party parent) {
        ChildEnded ended = parent.all(ChildEnded.class).getFirst();
        assertEquals(Ended.SUCCEEDED, ended.ended());
        assertEquals(Optional.empty(), ended.error());
        assertEquals(List.of(), parent.all(ContextPruned.class));
    }
}
