package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.ContinueScheduled;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R4: bounded decisions; what they cost is counted in events and bytes, not in time. */
final class ContinueTest {
    private static final Bounds TEN = new Bounds(10, 1_000, 1 << 20, 1 << 15, 5_000_000);

    private static Program fanOut(int width) {
        Programs out = Programs.dag().task("a").edge("start", "a").task("join");
        for (int i = 0; i < width; i++) {
            out.task("b" + i).edge("a", "b" + i).edge("b" + i, "join");
        }
        return out.build();
    }

    private static Program chain(int length) {
        Programs out = Programs.dag();
        String before = "start";
        for (int i = 0; i < length; i++) {
            out.task("n" + i).edge(before, "n" + i);
            before = "n" + i;
        }
        return out.build();
    }

    @Test
    void aFanOutOpensInBoundedDecisionsFirstInFirstOut() {
        Story story = Story.of(fanOut(25)).with(TEN).start().ok("a");

        assertEquals(1, story.all(ContinueScheduled.class).size());
        assertTrue(story.state().continues());
        assertEquals(9, story.open().size());
        story.restored().accepted(new Command.ContinueRun());
        assertEquals(19, story.open().size());
        story.goOn();
        assertEquals(25, story.open().size());
        story.ignored(new Command.ContinueRun());
    }

    @Test
    void answersMayComeWhileTheRunContinues() {
        Story story = Story.of(fanOut(25)).with(TEN).start().ok("a");
        while (!story.open().isEmpty()) {
            story.ok(story.open().getLast());
        }
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void failFastOverManyBranchesIsBoundedToo() {
        Story story = Story.of(fanOut(25)).with(TEN).start().ok("a").goOn().failForGood("b3");

        assertEquals(RunStatus.FAILING, story.status());
        assertTrue(story.state().continues());
        story.goOn();
        while (!story.open().isEmpty()) {
            story.fail(story.open().getFirst());
        }
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** Every node costs the same few events, and an event the same few bytes, whatever the size. */
    @Test
    void aFanOutOfAThousandCostsTheSamePerBranchAsOneOfAHundred() {
        double small = eventsPerNode(run(fanOut(100)), 102);
        double large = eventsPerNode(run(fanOut(1_000)), 1_002);
        assertEquals(small, large, 0.2);
    }

    @Test
    void aChainOfTenThousandCostsTheSamePerStepAsOneOfAHundred() {
        Story small = run(chain(100));
        Story large = run(chain(10_000));

        assertEquals(RunStatus.SUCCEEDED, large.status());
        assertEquals(eventsPerNode(small, 100), eventsPerNode(large, 10_000), 0.2);
        assertEquals(bytes(small) / 100.0, bytes(large) / 10_000.0, 100);
    }

    @Test
    void tenThousandSkipsInARowAreBounded() {
        Story story = Story.unchecked(skipped(10_000), Bounds.DEFAULT).start().ok("a");
        int most = story.last().size();
        while (story.state().continues()) {
            story.accepted(new Command.ContinueRun());
            most = Math.max(most, story.last().size());
        }

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(10_000, story.all(EventBody.ActivationSkipped.class).size());
        assertTrue(most <= 1_003, most + " events in one decision");
    }

    private static Program skipped(int length) {
        Programs out = Programs.dag().task("a").edge("start", "a").task("n0").edge("a", "n0", "false");
        for (int i = 1; i < length; i++) {
            out.task("n" + i).edge("n" + (i - 1), "n" + i);
        }
        return out.build();
    }

    private static Story run(Program program) {
        Story story = Story.unchecked(program, Bounds.DEFAULT).start().goOn();
        while (!story.status().isFinal()) {
            List<String> open = story.open();
            story.ok(open.getFirst()).goOn();
        }
        return story;
    }

    private static double eventsPerNode(Story story, int nodes) {
        return (double) story.events().size() / nodes;
    }

    private static long bytes(Story story) {
        return story.entries().stream()
                .map(JournalEntry::bytes)
                .mapToLong(bytes -> bytes.length)
                .sum();
    }
}
