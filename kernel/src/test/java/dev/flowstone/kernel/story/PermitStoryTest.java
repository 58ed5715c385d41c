package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.aggregate.SemaphoreState;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.event.AggregateEvent.LeaseExpired;
import dev.flowstone.kernel.event.AggregateEvent.PermitGranted;
import dev.flowstone.kernel.event.AggregateEvent.PermitReleased;
import dev.flowstone.kernel.event.MessageEvent.PermitAcquired;
import dev.flowstone.kernel.event.MessageEvent.PermitGivenBack;
import dev.flowstone.kernel.event.MessageEvent.PermitLost;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R20, permits. */
final class PermitStoryTest {
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final Post post = new Post();

    /** Takes permits, works, gives them back, works on. */
    private static Programs worker(int limit, int permits) {
        return Programs.dag()
                .permit("get", "press", limit, permits, LEASE)
                .tasks("work", "after")
                .release("give", "get")
                .chain("start", "get", "work", "give", "after");
    }

    private static SemaphoreState press(Post post) {
        return (SemaphoreState) post.semaphore("press").state();
    }

    @Test
    void whoComesFirstIsServedFirstAndNobodyOvertakes() {
        Party one = post.start(worker(2, 1));
        post.deliver();
        Party two = post.start(worker(2, 2));
        post.deliver();
        Party three = post.start(worker(2, 1));
        post.deliver();

        assertEquals(1, one.state().permits().size());
        // There is a permit for the third, but the second stands before it.
        assertTrue(two.state().permits().isEmpty());
        assertTrue(three.state().permits().isEmpty());

        post.ok(one, "work");
        post.deliver();
        assertEquals(1, two.state().permits().size());
        assertTrue(three.state().permits().isEmpty());

        post.ok(two, "work");
        post.deliver();
        assertEquals(1, three.state().permits().size());
        assertEquals(1, press(post).used());
    }

    @Test
    void thePermitsFenceIsInTheOutput() {
        Party one = post.start(worker(1, 1));
        Party two = post.start(worker(1, 1));
        post.deliver();
        post.ok(one, "work");
        post.deliver();

        assertEquals(1, one.all(PermitAcquired.class).getFirst().fence());
        assertEquals(2, two.all(PermitAcquired.class).getFirst().fence());
        assertTrue(CanonicalJson.exactText(two.state().toJson()).contains("\"inline\":{\"expiresAt\":"), "the output");
        assertTrue(CanonicalJson.exactText(two.state().toJson()).contains("\"fence\":2,\"permits\":1"), "the output");
    }

    @Test
    void aReleaseIsIdempotent() {
        Party one = post.start(Programs.dag()
                .permit("get", "press", 1, 1, LEASE)
                .release("give", "get")
                .release("again", "get")
                .chain("start", "get", "give", "again"));
        post.deliver();

        assertEquals(RunStatus.SUCCEEDED, one.status());
        assertEquals(1, one.all(PermitGivenBack.class).size());
        assertEquals(0, press(post).used());
        assertTrue(post.semaphore("press").state().timers().isEmpty());
    }

    /** cases.md 29: whoever dies gives them back within the lease time. */
    @Test
    void permitsOfAHolderThatIsGoneComeBackWithTheLease() {
        Party one = post.start(worker(1, 1));
        post.deliver();
        Party two = post.start(worker(1, 1));
        post.deliver();
        post.later(LEASE);
        post.fire(post.semaphore("press"), "lease/1");
        post.deliver();

        assertEquals(1, post.semaphore("press").all(LeaseExpired.class).size());
        assertEquals(
                2, post.semaphore("press").all(LeaseExpired.class).getFirst().fence());
        assertEquals(3, two.all(PermitAcquired.class).getFirst().fence());
        // The holder learns of it and goes on.
        assertEquals(1, one.all(PermitLost.class).size());
        assertTrue(one.state().permits().isEmpty());
        post.ok(one, "work");
        post.deliver();
        assertEquals(0, one.all(PermitGivenBack.class).size());
        assertEquals(1, press(post).used());
    }

    /** cases.md 29: guaranteed release, however the run ends. */
    @Test
    void permitsGoBackWhenTheRunEnds() {
        Party failed = post.start(worker(1, 1));
        post.deliver();
        post.answer(failed, "work#1", Story.failed(FailureClass.PERMANENT));
        Party forgetful = post.start(
                Programs.dag().permit("get", "press", 1, 1, LEASE).task("work").chain("start", "get", "work"));
        post.deliver();

        assertEquals(RunStatus.FAILED, failed.status());
        assertEquals(1, forgetful.state().permits().size());
        post.ok(forgetful, "work");
        post.deliver();
        assertEquals(RunStatus.SUCCEEDED, forgetful.status());
        assertEquals(
                "PermitGivenBack",
                forgetful.lastKinds().get(forgetful.lastKinds().size() - 2));
        assertEquals(0, press(post).used());
    }

    @Test
    void permitsGoBackWithTheScopeTheyWereGotIn() {
        Party run = post.start(Programs.flow()
                .strictTask("next")
                .end("end")
                .settlingScope("slot", "in", "out", "next")
                .permit("in", "press", 1, 1, LEASE)
                .task("out")
                .edge("in", "out")
                .edge("out", "next")
                .inRoot()
                .edge("start", "in")
                .edge("next", "end"));
        post.deliver();
        assertEquals(1, press(post).used());

        post.ok(run, "out");
        post.deliver();

        assertEquals(RunStatus.RUNNING, run.status());
        assertTrue(run.state().permits().isEmpty());
        assertEquals(0, press(post).used());
        assertTrue(run.lastKinds().indexOf("PermitGivenBack") < run.lastKinds().indexOf("ScopeClosed"));
    }

    @Test
    void aPermitThatReachesASettledAwaitIsReturned() {
        Party one = post.start(Programs.dag()
                .await(
                        "get",
                        new Source.Permit(new JsonString("press"), 1, 1, LEASE),
                        Optional.of(new JsonString("PT1H")))
                .task("late")
                .edge("start", "get")
                .on(Outcome.TIMEOUT, "get", "late"));
        post.deliverBut(one.id());
        assertEquals(1, press(post).used());
        post.fire(one, "get#1/timeout");
        post.deliver();

        assertTrue(one.state().permits().isEmpty());
        assertEquals(1, one.all(PermitGivenBack.class).size());
        assertEquals(0, press(post).used());
        assertEquals(1, post.semaphore("press").all(PermitReleased.class).size());
    }

    @Test
    void aRequestThatIsNoLongerWantedLeavesTheLine() {
        Party holder = post.start(worker(1, 1));
        post.deliver();
        Party waits = post.start(Programs.dag()
                .permit("get", "press", 1, 1, LEASE)
                .task("boom")
                .edge("start", "get")
                .edge("start", "boom"));
        post.deliver();
        assertEquals(1, press(post).waiting().size());
        post.answer(waits, "boom#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();

        assertTrue(press(post).waiting().isEmpty());
        post.ok(holder, "work");
        post.deliver();
        assertEquals(1, post.semaphore("press").all(PermitGranted.class).size());
    }

    /** The newest definition counts; nothing is granted beyond it, and what is held already stays. */
    @Test
    void theLimitShrinksAndGrows() {
        Party one = post.start(worker(3, 1));
        post.deliver();
        Party two = post.start(worker(3, 1));
        post.deliver();
        Party shrunk = post.start(worker(1, 1));
        post.deliver();
        assertEquals(2, press(post).used());
        assertEquals(1, press(post).limit());
        assertTrue(shrunk.state().permits().isEmpty());

        post.ok(one, "work");
        post.deliver();
        assertTrue(shrunk.state().permits().isEmpty());
        post.ok(two, "work");
        post.deliver();
        assertEquals(1, shrunk.state().permits().size());

        Party grown = post.start(worker(2, 1));
        post.deliver();
        assertEquals(1, grown.state().permits().size());
    }

    /** Who wants more than there are any more gets all of them, alone. */
    @Test
    void aLimitBelowWhatSomebodyWantsDoesNotStopTheLine() {
        Party big = post.start(worker(3, 3));
        post.deliver();
        Party next = post.start(worker(3, 3));
        post.deliver();
        Party small = post.start(worker(2, 1));
        post.deliver();
        post.ok(big, "work");
        post.deliver();

        assertEquals(2, next.all(PermitAcquired.class).getFirst().permits());
        post.ok(next, "work");
        post.deliver();
        assertEquals(1, small.state().permits().size());
        assertNull(press(post).firstWaiting());
    }
}
