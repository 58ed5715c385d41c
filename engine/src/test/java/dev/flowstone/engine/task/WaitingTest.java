package dev.flowstone.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is told of a line costs no more the longer it is. */
final class WaitingTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final int MANY = 10_000;

    private int looks;
    private final Waiting<TaskRun> waiting = new Waiting<>(
            task -> {
                looks++;
                return task;
            },
            () -> {});

    private TaskRun add(String workflow) {
        TaskRun task = new TaskRun(
                ACME,
                new WorkflowId(workflow),
                new HandlerName("a.work"),
                () -> TaskOutcome.of(new TaskAnswer.Returned()),
                _ -> {});
        waiting.add(task);
        return task;
    }

    private TaskRun add(RunPlace place) {
        TaskRun task = new TaskRun(
                ACME,
                new WorkflowId("bounded"),
                new HandlerName("a.work"),
                () -> TaskOutcome.of(new TaskAnswer.Returned()),
                _ -> {});
        task.place = place;
        waiting.add(task);
        return task;
    }

    private static RunPlace place(int run) {
        RunPlace place = new RunPlace(new RunKey(ACME, new RunId(new UUID(0x7000L, 0x8000_0000_0000_0000L + run))));
        place.bound(1);
        return place;
    }

    @Test
    void theOneThatHasWaitedLongestIsFoundAtTheHeadOfSomething() {
        Set<TaskRun> heads = new HashSet<>();
        heads.add(add("plain"));
        List<RunPlace> places = List.of(place(1), place(2));
        places.forEach(place -> heads.add(add(place)));
        for (int i = 0; i < MANY; i++) {
            add("plain");
            add(places.get(i % 2));
        }
        looks = 0;

        assertEquals(heads, waiting.firsts().collect(Collectors.toSet()));
        assertEquals(
                Map.of(new WorkflowId("plain"), MANY + 1, new WorkflowId("bounded"), MANY + 2), waiting.byWorkflow());
        assertTrue(looks < 10, () -> "it has looked at " + looks);
    }

    @Test
    void whatWaitsNoMoreIsCountedNoMore() {
        TaskRun gone = add("plain");
        TaskRun begun = add("plain");
        add("other");

        assertTrue(waiting.remove(gone));
        assertEquals(begun, waiting.take().orElseThrow());

        assertEquals(Map.of(new WorkflowId("other"), 1), waiting.byWorkflow());
        assertEquals(1, waiting.size());
    }
}
