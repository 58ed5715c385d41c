package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartReceipts;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.start.SubjectSlot;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Where runs about a subject live, and that only one of them lives there if it must be alone. */
final class SubjectSlotTest {
    private final World world = new World(4);
    private final SteppedNode node = world.node("one");

    private static SubjectBinding about(String kind, String id, boolean exclusive) {
        return new SubjectBinding(new Subject(kind, id), 1, exclusive);
    }

    private static int slot(String tenant, String kind, String id) {
        return SubjectSlot.of(new SubjectKey(new TenantId(tenant), new Subject(kind, id)))
                .number();
    }

    /** If this fails, subjects are no longer found where their runs were put. */
    @Test
    void aSubjectsSlotIsFixedForEver() {
        assertEquals(SLOTS, List.of(slot("acme", "invoice", "7"), slot("acme", "invoice", "8"), slot("b", "ä", "x/y")));
        assertNotEquals(slot("acme", "ab", "c"), slot("acme", "a", "bc"));
    }

    private static final List<Integer> SLOTS = List.of(3057, 64, 2364);

    @Test
    void requestIdsAreASubjectsOwn() {
        TenantId acme = new TenantId("acme");

        assertEquals("start", StartReceipts.key(acme, Optional.empty(), "r").scope());
        assertNotEquals(
                StartReceipts.key(acme, Optional.of(about("a/b", "c", true)), "r"),
                StartReceipts.key(acme, Optional.of(about("a", "b/c", true)), "r"));
    }

    @Test
    void runsAboutASubjectLiveInItsSlot() {
        Published waits = world.publish(ProgramBuilder.sequence("echo", 1, "core.echo"));
        RunId run = World.started(start(waits.start().about(about("invoice", "7", false))));

        assertEquals(slot("acme", "invoice", "7"), run.slot().number());
    }

    private CompletableFuture<StartAnswer> start(StartRequest request) {
        CompletableFuture<StartAnswer> answer = node.node().start(request);
        node.settle();
        return answer;
    }

    @Test
    void ofManyStartsThatMustBeAloneOneAtATimeIsAccepted() {
        // No node works on it: its task is a remote worker's, which never comes.
        Published waits = world.publish(ProgramBuilder.sequence("waits", 1, "remote.nobody"));
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(node.node().start(waits.start("r" + i).about(about("invoice", "7", true))));
        }

        node.stepLoops();
        while (!answers.stream().allMatch(CompletableFuture::isDone)) {
            node.stepLoops();
        }

        long started = answers.stream()
                .filter(answer -> answer.join() instanceof StartAnswer.Started)
                .count();
        assertEquals(1, started);
        assertTrue(answers.stream()
                .map(CompletableFuture::join)
                .filter(StartAnswer.Refused.class::isInstance)
                .allMatch(answer -> ((StartAnswer.Refused) answer).code().equals("SUBJECT_BUSY")));
        assertInstanceOf(
                StartAnswer.Started.class,
                start(waits.start("r").about(about("invoice", "8", true))).join());
    }
}
