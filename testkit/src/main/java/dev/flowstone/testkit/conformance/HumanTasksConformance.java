package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.HumanTaskPlace;
import dev.flowstone.engine.read.OpenTask;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every reader of human tasks must do. */
public abstract class HumanTasksConformance extends PortsConformance {
    private static final JsonObject CONTENT =
            JsonObject.builder().put("request", "approve\u0000 it ☃").build();

    private HumanTaskRow row(String activation, Instant opened, String... assignees) {
        return new HumanTaskRow(
                ActivationId.parse(activation),
                opened,
                List.of(assignees),
                Optional.empty(),
                Optional.empty(),
                CONTENT);
    }

    private List<OpenTask> tasks(HumanTaskFilter filter) throws JournalException {
        return ports().humanTasks().tasks(ACME, filter, Optional.empty(), 100);
    }

    private List<String> names(HumanTaskFilter filter) throws JournalException {
        return tasks(filter).stream()
                .map(open -> open.task().activation().toString())
                .toList();
    }

    @Test
    void aTaskIsThereAsItWasWrittenUntilItIsGone() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        HumanTaskRow first = row("review#1", now(), "user:anna", "role:legal");
        commit(lease, creation(key).task(first).build());
        assertEquals(List.of(new OpenTask(key, MoveBuilder.WORKFLOW, first)), tasks(HumanTaskFilter.ALL));

        HumanTaskRow claimed = new HumanTaskRow(
                first.activation(),
                first.openedAt(),
                List.of("user:bob"),
                Optional.of("user:bob"),
                Optional.of(now()),
                JsonObject.EMPTY);
        commit(lease, move(key, 1).task(claimed).build());
        assertEquals(List.of(new OpenTask(key, MoveBuilder.WORKFLOW, claimed)), tasks(HumanTaskFilter.ALL));

        commit(lease, move(key, 2).taskGone(first.activation()).build());
        assertEquals(List.of(), tasks(HumanTaskFilter.ALL));
    }

    @Test
    void aMoveThatLosesChangesNoTask() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).task(row("review#1", now())).build());

        commit(lease, move(key, 7).taskGone(ActivationId.parse("review#1")).build());

        assertEquals(List.of("review#1"), names(HumanTaskFilter.ALL));
    }

    @Test
    void aTenantSeesItsOwnTasksOnly() throws JournalException {
        Lease lease = lease(0);
        commit(lease, creation(run(OTHER, 0)).task(row("theirs#1", now())).build());

        assertEquals(List.of(), tasks(HumanTaskFilter.ALL));
        assertEquals(
                1,
                ports().humanTasks()
                        .tasks(new TenantId("other"), HumanTaskFilter.ALL, Optional.empty(), 9)
                        .size());
    }

    @Test
    void pagesGoOnAfterAPlaceWithoutGapOrRepetition() throws JournalException {
        Instant time = now();
        List<HumanTaskPlace> all = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            Lease lease = lease(shard);
            for (int i = 0; i < 3; i++) {
                RunKey key = run(shard);
                MoveBuilder move = creation(key);
                for (String name : List.of("b#1", "a#2", "B#1", "a#10")) {
                    // Two of three were opened at the very same time.
                    HumanTaskRow task = row(name, time.plusMillis(i / 2));
                    move.task(task);
                    all.add(new OpenTask(key, MoveBuilder.WORKFLOW, task).place());
                }
                commit(lease, move.build());
            }
        }
        all.sort(null);

        List<HumanTaskPlace> paged = new ArrayList<>();
        Optional<HumanTaskPlace> after = Optional.empty();
        while (true) {
            List<OpenTask> page = ports().humanTasks().tasks(ACME, HumanTaskFilter.ALL, after, 5);
            page.forEach(open -> paged.add(open.place()));
            if (page.size() < 5) {
                break;
            }
            after = Optional.of(page.getLast().place());
        }

        assertEquals(all, paged);
    }

    @Test
    void filtersKeepWhatTheyAdmit() throws JournalException {
        Lease lease = lease(0);
        Instant time = now();
        RunKey first = run(0);
        RunKey second = run(0);
        commit(
                lease,
                creation(first)
                        .task(row("a#1", time, "user:anna"))
                        .task(new HumanTaskRow(
                                ActivationId.parse("b#1"),
                                time,
                                List.of("role:legal"),
                                Optional.of("user:bob"),
                                Optional.of(time.plusSeconds(60)),
                                JsonObject.EMPTY))
                        .build(),
                creation(second)
                        .workflow(new WorkflowId("another"))
                        .task(row("c#1", time.plusMillis(1), "user:anna", "role:legal"))
                        .build());

        assertEquals(List.of("a#1", "b#1"), names(HumanTaskFilter.ALL.ofRun(first.run())));
        assertEquals(List.of("c#1"), names(HumanTaskFilter.ALL.ofWorkflow(new WorkflowId("another"))));
        assertEquals(List.of("a#1", "c#1"), names(HumanTaskFilter.ALL.asking(Set.of("user:anna", "user:zoe"))));
        assertEquals(List.of("b#1"), names(HumanTaskFilter.ALL.claimed("user:bob")));
        assertEquals(List.of("a#1", "c#1"), names(HumanTaskFilter.ALL.free("user:anna")));
        assertEquals(List.of("a#1", "b#1", "c#1"), names(HumanTaskFilter.ALL.free("user:bob")));
        assertEquals(List.of("b#1"), names(HumanTaskFilter.ALL.due(time.plusSeconds(61))));
        assertEquals(List.of(), names(HumanTaskFilter.ALL.due(time.plusSeconds(60))));
        assertEquals(
                List.of("c#1"),
                names(HumanTaskFilter.ALL.asking(Set.of("role:legal")).free("user:anna")));
    }
}
