package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.fail;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.MessageBounds;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Old histories of runs that talk to each other, and of aggregates, replay; see {@link GoldenTest}. */
final class MessageGoldenTest {
    private static final Duration LEASE = Duration.ofMinutes(5);
    static final Map<String, Supplier<Party>> STORIES = new TreeMap<>(Map.of(
            "message-await", MessageGoldenTest::await,
            // The same, since what nobody waits for is no wait.
            "message-await-late", MessageGoldenTest::await,
            "message-channel", MessageGoldenTest::channel,
            "message-emit", MessageGoldenTest::emit,
            "message-permits", MessageGoldenTest::permits,
            "message-semaphore", MessageGoldenTest::semaphore,
            "message-link", MessageGoldenTest::link,
            "message-parent", MessageGoldenTest::parent,
            "message-parent-open", MessageGoldenTest::parentOpen,
            "message-child", MessageGoldenTest::child));

    static {
        STORIES.put("message-parent-wrapped", WrappedCallStoryTest::inEveryWay);
    }

    @Test
    void storedHistoriesFoldToTheirRecordedStates() throws IOException {
        if (GoldenTest.WRITE && "true".equals(System.getenv("CI"))) {
            fail("golden files are written by people who mean it, not by CI");
        }
        for (Map.Entry<String, Supplier<Party>> story : STORIES.entrySet()) {
            Path file = GoldenTest.FOLDER.resolve(story.getKey() + ".json");
            if (GoldenTest.WRITE && !Files.exists(file)) {
                Party party = story.getValue().get();
                Files.writeString(
                        file, GoldenTest.golden(party.program(), party.entries(), party.events(), party.state()));
            }
            GoldenTest.check(story.getKey());
        }
    }

    /** Signals and a time-out; one comes too late and goes back. */
    private static Party await() {
        Post post = new Post();
        Party run = post.start(Programs.dag()
                .await("a", "paid", "k")
                .await("b", "paid", "k", "PT1H")
                .task("late")
                .edge("start", "a")
                .edge("a", "b")
                .on(Outcome.TIMEOUT, "b", "late"));
        post.signal("paid", "k", "1");
        post.deliver();
        post.signal("paid", "k", "2");
        post.fire(run, "b#1/timeout");
        post.deliver();
        return run;
    }

    /** Everything that happens in a channel. */
    private static Party channel() {
        Post post = new Post()
                .with(Bounds.DEFAULT.withMessages(
                        new MessageBounds(2, Duration.ofDays(1), Duration.ofDays(1), 5, false)));
        Programs awaiting = Programs.dag()
                .await("a", "paid", "k", "PT1H")
                .task("late")
                .edge("start", "a")
                .on(Outcome.TIMEOUT, "a", "late");
        Party first = post.start(awaiting);
        post.deliver();
        post.signal("paid", "k", "1");
        post.fire(first, "a#1/timeout");
        post.deliver();
        Party channel = post.channel("paid", "k");
        post.accepted(channel, post.send("paid", "k", "2", Optional.of("n")));
        post.start(awaiting);
        post.start(Programs.dag()
                .emit("e", "paid", "k", "3")
                .broadcast("f", "paid", "k", "4")
                .edge("start", "e")
                .edge("start", "f"));
        post.deliver();
        post.start(awaiting);
        post.deliver();
        post.start(Programs.dag()
                .emit("e", "paid", "k", "5")
                .emit("f", "paid", "k", "6")
                .edge("start", "e")
                .edge("start", "f"));
        post.deliver();
        post.later(Duration.ofHours(2));
        post.fire(channel, "expiry");
        post.signal("paid", "k", "7");
        return channel;
    }

    private static Party emit() {
        Post post = new Post();
        Party run = post.start(Programs.dag()
                .emit("e", "paid", "k", "x")
                .broadcast("f", "paid", "k", "y")
                .chain("start", "e", "f"));
        post.deliver();
        return run;
    }

    /** Got, lost, got again, given back. */
    private static Party permits() {
        Post post = new Post();
        Party run = post.start(Programs.dag()
                .permit("a", "press", 2, 1, LEASE)
                .task("work")
                .permit("b", "press", 2, 2, LEASE)
                .release("give", "b")
                .permit("c", "press", 2, 2, LEASE)
                .tasks("last")
                .chain("start", "a", "work", "b", "give", "c", "last"));
        post.deliver();
        post.later(LEASE);
        post.fire(post.semaphore("press"), "lease/1");
        post.deliver();
        post.ok(run, "work");
        post.deliver();
        return run;
    }

    private static Party semaphore() {
        Post post = new Post();
        Programs worker = Programs.dag()
                .permit("get", "press", 1, 1, LEASE)
                .tasks("work", "boom")
                .edge("start", "get")
                .edge("start", "boom")
                .edge("get", "work");
        post.start(worker);
        Party second = post.start(worker);
        Party third = post.start(worker);
        post.deliver();
        post.answer(third, "boom#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();
        post.later(LEASE);
        Party semaphore = post.semaphore("press");
        post.fire(semaphore, "lease/1");
        post.deliver();
        post.ok(second, "boom");
        post.ok(second, "work");
        post.deliver();
        post.start(worker);
        post.start(worker);
        post.deliver();
        return semaphore;
    }

    private static Party link() {
        Post post = new Post();
        Party link = post.link("Order", "4711");
        Party one = post.start(Programs.dag().task("a").edge("start", "a"));
        Party two = post.start(Programs.dag().task("a").edge("start", "a"));
        for (Party run : List.of(one, two)) {
            post.accepted(
                    link,
                    new Command.Deliver(
                            Post.ACME,
                            link.id(),
                            run.id(),
                            5,
                            new Message.Link(
                                    ActivationId.parse("a#1"), "Order", "4711", Payload.of(new JsonString("x")))));
        }
        return link;
    }

    private static Post withChild() {
        return new Post()
                .published(Programs.dag()
                        .named("child")
                        .task("work")
                        .edge("start", "work")
                        .build());
    }

    private static Party childOf(Post post, Party parent, int index) {
        return post.party(parent.all(ChildStarted.class).get(index).child());
    }

    /** One child succeeds, one fails, one is late, one is let go. */
    private static Party parent() {
        Post post = withChild();
        ChildPolicies detach =
                new ChildPolicies(ChildPolicy.DETACH, ChildPolicy.DETACH, ChildPolicy.DETACH, ChildPolicy.DETACH);
        Party parent = post.start(Programs.dag()
                .named("parent")
                .call("a", "child")
                .call("b", "child", true, Optional.of("PT1H"), ChildPolicies.CASCADE)
                .call("c", "child")
                .call("d", "child", true, Optional.empty(), detach)
                .edge("start", "a")
                .edge("start", "b")
                .edge("start", "c")
                .edge("start", "d")
                .task("late")
                .on(Outcome.TIMEOUT, "b", "late"));
        post.deliver();
        post.ok(childOf(post, parent, 0), "work");
        post.fire(parent, "b#1/timeout");
        post.deliver();
        post.answer(childOf(post, parent, 2), "work#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();
        return parent;
    }

    /** Its children live. */
    private static Party parentOpen() {
        Post post = withChild();
        Party parent = post.start(Programs.dag()
                .named("parent")
                .call("a", "child")
                .spawn("b", "child")
                .edge("start", "a")
                .edge("start", "b"));
        post.deliver();
        return parent;
    }

    private static Party child() {
        Post post = withChild();
        ChildPolicies detach =
                new ChildPolicies(ChildPolicy.DETACH, ChildPolicy.DETACH, ChildPolicy.DETACH, ChildPolicy.DETACH);
        Party parent = post.start(Programs.dag()
                .named("parent")
                .call("a", "child", true, Optional.of("PT1H"), detach)
                .task("late")
                .edge("start", "a")
                .on(Outcome.TIMEOUT, "a", "late"));
        post.deliver();
        post.fire(parent, "a#1/timeout");
        post.deliver();
        return childOf(post, parent, 0);
    }
}
