package dev.flowstone.testkit.conformance;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.RunCounts;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.read.Span;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people and programs read. */
public abstract class RunReaderConformance extends PortsConformance {
    private List<RunId> ids(List<RunRow> rows) {
        return rows.stream().map(row -> row.key().run()).toList();
    }

    @Test
    void aRunsRowFollowsItsMoves() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        RunMove first = creation(key).entry(2).correlation("order 7").build();
        commit(lease, first);

        RunRow row = ports().runs().run(ACME, key.run()).orElseThrow();

        assertEquals(
                new RunRow(
                        key,
                        MoveBuilder.WORKFLOW,
                        1,
                        MoveBuilder.PROGRAM,
                        "order 7",
                        RunStatus.RUNNING,
                        2,
                        first.newHash(),
                        first.eventTime(),
                        first.eventTime(),
                        Optional.empty()),
                row);

        RunMove last = move(key, 2)
                .entry(1)
                .correlation("order 7")
                .status(RunStatus.FAILED)
                .build();
        commit(lease, last);
        RunRow ended = ports().runs().run(ACME, key.run()).orElseThrow();

        assertEquals(RunStatus.FAILED, ended.status());
        assertEquals(3, ended.lastSequence());
        assertEquals(first.eventTime(), ended.startedAt());
        assertEquals(last.eventTime(), ended.updatedAt());
        assertEquals(Optional.of(last.eventTime()), ended.endedAt());
    }

    @Test
    void aRunOfADraftHasVersionZero() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).version(0).build());
        commit(lease, move(key, 1).version(0).entry(1).build());

        assertEquals(0, ports().runs().run(ACME, key.run()).orElseThrow().version());
    }

    @Test
    void listsNewestFirstInPagesOverAllShards() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        List<RunId> newestFirst = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            RunKey key = run(i % 2);
            commit(i % 2 == 0 ? first : second, creation(key).build());
            newestFirst.addFirst(key.run());
        }

        List<RunRow> page = ports().runs().runs(ACME, RunFilter.ALL, Optional.empty(), 4);
        List<RunRow> next = ports().runs()
                .runs(ACME, RunFilter.ALL, Optional.of(page.getLast().key().run()), 4);

        assertEquals(newestFirst.subList(0, 4), ids(page));
        assertEquals(newestFirst.subList(4, 7), ids(next));
    }

    @Test
    void filtersByWorkflowAndStatus() throws JournalException {
        Lease lease = lease(0);
        WorkflowId wanted = new WorkflowId("wanted");
        RunKey running = run(0);
        RunKey failed = run(0);
        RunKey succeeded = run(0);
        RunKey foreign = run(0);
        commit(
                lease,
                creation(running).workflow(wanted).build(),
                creation(failed).workflow(wanted).status(RunStatus.FAILED).build(),
                creation(succeeded).workflow(wanted).status(RunStatus.SUCCEEDED).build(),
                creation(foreign).status(RunStatus.FAILED).build());

        assertEquals(
                List.of(succeeded.run(), failed.run()),
                ids(ports().runs()
                        .runs(
                                ACME,
                                new RunFilter(Optional.of(wanted), Set.of(RunStatus.FAILED, RunStatus.SUCCEEDED)),
                                Optional.empty(),
                                10)));
        assertEquals(
                List.of(foreign.run(), failed.run()),
                ids(ports().runs()
                        .runs(ACME, new RunFilter(Optional.empty(), Set.of(RunStatus.FAILED)), Optional.empty(), 10)));
        assertEquals(
                List.of(succeeded.run(), failed.run(), running.run()),
                ids(ports().runs().runs(ACME, new RunFilter(Optional.of(wanted), Set.of()), Optional.empty(), 10)));
    }

    @Test
    void filtersByWhenRunsBegan() throws JournalException {
        Lease lease = lease(0);
        RunKey old = run(0);
        RunKey middle = run(0);
        RunKey young = run(0);
        commit(
                lease,
                creation(old).build(),
                creation(middle).status(RunStatus.FAILED).build(),
                creation(young).build());
        Optional<Instant> of = Optional.of(middle.run().birth());
        Optional<Instant> justBehind = Optional.of(middle.run().birth().plusMillis(1));

        assertEquals(List.of(young.run(), middle.run()), began(Set.of(), new Span(of, Optional.empty())));
        assertEquals(List.of(old.run()), began(Set.of(), new Span(Optional.empty(), of)));
        assertEquals(List.of(middle.run()), began(Set.of(), new Span(of, justBehind)));
        assertEquals(List.of(), began(Set.of(), new Span(of, of)));
        assertEquals(List.of(middle.run()), began(Set.of(RunStatus.FAILED), new Span(of, Optional.empty())));
        assertEquals(List.of(), began(Set.of(RunStatus.FAILED), new Span(justBehind, Optional.empty())));
        assertEquals(
                List.of(old.run(), middle.run(), young.run()).reversed(),
                began(Set.of(), new Span(Optional.of(Instant.EPOCH), Optional.empty())));
        Optional<Instant> farOff = Optional.of(Instant.parse("9000-01-01T00:00:00Z"));
        assertEquals(List.of(), began(Set.of(), new Span(farOff, Optional.empty())));
        assertEquals(3, began(Set.of(), new Span(Optional.empty(), farOff)).size());
        assertEquals(
                List.of(middle.run()),
                ids(ports().runs()
                        .runs(
                                ACME,
                                new RunFilter(Optional.empty(), Set.of(), new Span(of, Optional.empty())),
                                Optional.of(young.run()),
                                10)),
                "a page goes on behind the one before");
    }

    private List<RunId> began(Set<RunStatus> statuses, Span span) throws JournalException {
        return ids(ports().runs().runs(ACME, new RunFilter(Optional.empty(), statuses, span), Optional.empty(), 10));
    }

    @Test
    void aggregatesAreNoRunsToLists() throws JournalException {
        RunId channel = Aggregates.channel(ACME, "paid", "order-7");
        int home = shardOf(channel);
        Lease lease = lease(home);
        RunKey key = run(home);
        commit(lease, creation(key).build());
        commit(lease, creation(new RunKey(ACME, channel)).build());

        assertEquals(List.of(key.run()), ids(ports().runs().runs(ACME, RunFilter.ALL, Optional.empty(), 10)));
        assertEquals(1, ports().runs().counts(ACME, Optional.empty()).counted());
        assertEquals(
                1,
                ports().runs()
                        .countsSince(ACME, Optional.empty(), Instant.EPOCH, 10)
                        .counted());
        assertEquals(1, ports().runs().run(ACME, channel).stream().count(), "by its id it can be read");
    }

    private int shardOf(RunId run) {
        return IntStream.range(0, ports().leases().shards().size())
                .filter(number -> shard(number).holds(run.slot()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void runsAreCountedByWorkflowAndStatus() throws JournalException {
        Lease lease = lease(0);
        WorkflowId other = new WorkflowId("another");
        RunKey oldest = run(0);
        commit(lease, creation(oldest).workflow(other).build());
        commit(lease, creation(run(OTHER, 0)).build());
        RunKey second = run(0);
        commit(lease, creation(second).status(RunStatus.FAILED).build());
        commit(lease, creation(run(0)).build());
        commit(lease, creation(run(0)).build());
        RunCounts.Group failed = new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.FAILED, 1);
        RunCounts.Group running = new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.RUNNING, 2);
        RunCounts.Group elsewhere = new RunCounts.Group(other, RunStatus.RUNNING, 1);

        assertEquals(
                new RunCounts(List.of(elsewhere, running, failed), 4, true),
                ports().runs().counts(ACME, Optional.empty()));
        assertEquals(new RunCounts(List.of(elsewhere), 1, true), ports().runs().counts(ACME, Optional.of(other)));
        assertEquals(
                new RunCounts(List.of(), 0, true), ports().runs().counts(ACME, Optional.of(new WorkflowId("nowhere"))));
    }

    @Test
    void youngRunsAreCountedTheNewestFirst() throws JournalException {
        Lease lease = lease(0);
        WorkflowId other = new WorkflowId("another");
        commit(lease, creation(run(0)).workflow(other).build());
        commit(lease, creation(run(OTHER, 0)).build());
        RunKey second = run(0);
        commit(lease, creation(second).status(RunStatus.FAILED).build());
        commit(lease, creation(run(0)).build());
        commit(lease, creation(run(0)).build());
        RunCounts.Group failed = new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.FAILED, 1);
        RunCounts.Group running = new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.RUNNING, 2);
        RunCounts.Group elsewhere = new RunCounts.Group(other, RunStatus.RUNNING, 1);

        assertEquals(
                new RunCounts(List.of(elsewhere, running, failed), 4, true),
                ports().runs().countsSince(ACME, Optional.empty(), Instant.EPOCH, 4));
        assertEquals(
                new RunCounts(List.of(running, failed), 3, false),
                ports().runs().countsSince(ACME, Optional.empty(), Instant.EPOCH, 3));
        assertEquals(
                new RunCounts(List.of(running), 2, false),
                ports().runs().countsSince(ACME, Optional.of(MoveBuilder.WORKFLOW), Instant.EPOCH, 2));
        assertEquals(
                new RunCounts(List.of(elsewhere), 1, true),
                ports().runs().countsSince(ACME, Optional.of(other), Instant.EPOCH, 3));
        assertEquals(
                new RunCounts(List.of(running, failed), 3, true),
                ports().runs().countsSince(ACME, Optional.empty(), second.run().birth(), 9));
    }

    @Test
    void countsFollowEachChangeOfStatusOverAllShards() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        List<RunKey> keys = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RunKey key = run(i % 2);
            keys.add(key);
            commit(i % 2 == 0 ? first : second, creation(key).build());
        }
        List<RunStatus> path = List.of(RunStatus.COMPENSATING, RunStatus.RUNNING, RunStatus.FAILING, RunStatus.FAILED);
        for (int step = 0; step < path.size(); step++) {
            for (int i = 0; i < 50 * (path.size() - step); i++) {
                commit(
                        i % 2 == 0 ? first : second,
                        move(keys.get(i), step + 1)
                                .entry(1)
                                .status(path.get(step))
                                .build());
            }
        }

        assertEquals(
                new RunCounts(
                        List.of(
                                new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.RUNNING, 50),
                                new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.FAILING, 50),
                                new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.COMPENSATING, 50),
                                new RunCounts.Group(MoveBuilder.WORKFLOW, RunStatus.FAILED, 50)),
                        200,
                        true),
                ports().runs().counts(ACME, Optional.empty()));
    }

    @Test
    void entriesArePagedFromAnEvent() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).entry(2).entry(3).entry(1).entry(4).build());

        List<StoredEntry> fromFour = ports().runs().entries(ACME, key.run(), 4, 2);

        assertEquals(
                List.of(3L, 6L),
                fromFour.stream().map(StoredEntry::firstSequence).toList(),
                "4 stands in 3–5");
        assertEquals(
                List.of(7L),
                ports().runs().entries(ACME, key.run(), 7, 10).stream()
                        .map(StoredEntry::firstSequence)
                        .toList());
        assertEquals(4, ports().runs().entries(ACME, key.run(), 1, 100).size());
        assertEquals(List.of(), ports().runs().entries(ACME, key.run(), 11, 100));
    }

    @Test
    void beginningsAreReadForManyRunsAndForOneTenantOnly() throws JournalException {
        Lease lease = lease(0);
        RunKey one = run(0);
        RunKey two = run(0);
        RunKey foreign = run(OTHER, 0);
        commit(lease, creation(one).entry(2).entry(3).build());
        commit(lease, creation(two).entry(4).build());
        commit(lease, creation(foreign).build());

        Map<RunId, StoredEntry> found =
                ports().runs().beginnings(ACME, List.of(one.run(), two.run(), foreign.run(), run(0).run()));

        assertEquals(Set.of(one.run(), two.run()), found.keySet());
        StoredEntry first = ports().runs().entries(ACME, one.run(), 1, 1).getFirst();
        StoredEntry beginning = requireNonNull(found.get(one.run()));
        assertEquals(first.hash(), beginning.hash());
        assertEquals(2, beginning.lastSequence());
        assertArrayEquals(first.bytes(), beginning.bytes());
        assertEquals(4, requireNonNull(found.get(two.run())).lastSequence());
        assertEquals(Map.of(), ports().runs().beginnings(ACME, List.of()));
    }

    /** Frames of a header and two events, as entries are stored. */
    private static byte[] frames(String header, String first, String second) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String frame : List.of(header, first, second)) {
            byte[] bytes = frame.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void endsOfFirstEventsAreReadWhereTheyEndSo() throws JournalException {
        Lease lease = lease(0);
        String large = "x".repeat(300_000);
        RunKey one = run(0);
        RunKey two = run(0);
        RunKey other = run(0);
        RunKey foreign = run(OTHER, 0);
        commit(
                lease,
                creation(one)
                        .entry(2, frames(large, large + "0123456789!", "second?"))
                        .build());
        commit(lease, creation(two).entry(2, frames("h", "7!", large)).build());
        commit(lease, creation(other).entry(2, frames("h", "no?", "yes!")).build());
        commit(lease, creation(foreign).entry(2, frames("h", "9!", "s")).build());

        Map<RunId, byte[]> found = ports().runs()
                .endsOfFirst(
                        ACME,
                        List.of(one.run(), two.run(), other.run(), foreign.run(), run(0).run()),
                        new byte[] {'!'},
                        5);

        assertEquals(Set.of(one.run(), two.run()), found.keySet());
        assertArrayEquals("6789!".getBytes(StandardCharsets.UTF_8), found.get(one.run()));
        assertArrayEquals("7!".getBytes(StandardCharsets.UTF_8), found.get(two.run()));
        assertEquals(Map.of(), ports().runs().endsOfFirst(ACME, List.of(), new byte[] {'!'}, 5));
    }

    @Test
    void headersOfFirstDecisionsAreReadUpToABound() throws JournalException {
        Lease lease = lease(0);
        RunKey one = run(0);
        RunKey large = run(0);
        RunKey foreign = run(OTHER, 0);
        commit(
                lease,
                creation(one)
                        .entry(2, frames("header", "x".repeat(300_000), "second"))
                        .build());
        commit(lease, creation(large).entry(2, frames("h".repeat(11), "a", "b")).build());
        commit(lease, creation(foreign).entry(2, frames("h", "a", "b")).build());

        Map<RunId, byte[]> found =
                ports().runs().headersOfFirst(ACME, List.of(one.run(), large.run(), foreign.run(), run(0).run()), 10);

        assertEquals(Set.of(one.run()), found.keySet());
        assertArrayEquals("header".getBytes(StandardCharsets.UTF_8), found.get(one.run()));
        assertEquals(Map.of(), ports().runs().headersOfFirst(ACME, List.of(), 10));
    }

    @Test
    void rowsAreReadByTheirIdsInOneGo() throws JournalException {
        Lease lease = lease(0);
        RunKey one = run(0);
        RunKey two = run(0);
        RunKey foreign = run(OTHER, 0);
        commit(lease, creation(one).entry(2, frames("h", "a", "b")).build());
        commit(lease, creation(two).entry(2, frames("h", "a", "b")).build());
        commit(lease, creation(foreign).entry(2, frames("h", "a", "b")).build());

        Map<RunId, RunRow> found =
                ports().runs().rows(ACME, List.of(one.run(), two.run(), foreign.run(), run(0).run()));

        assertEquals(Set.of(one.run(), two.run()), found.keySet());
        assertEquals(ports().runs().run(ACME, one.run()).orElseThrow(), found.get(one.run()));
        assertEquals(Map.of(), ports().runs().rows(ACME, List.of()));
    }

    @Test
    void aSnapshotHidesNoEntryFromReaders() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key)
                        .entry(2)
                        .entry(1)
                        .snapshot("{}".getBytes(StandardCharsets.UTF_8))
                        .build());

        assertEquals(2, ports().runs().entries(ACME, key.run(), 1, 100).size());
    }

    @Test
    void aTenantSeesNothingOfAnother() throws JournalException {
        Lease lease = lease(0);
        RunKey ours = run(ACME, 0);
        byte[] payload = "\"ours\"".getBytes(StandardCharsets.UTF_8);
        commit(lease, creation(ours).payload(payload).build());
        Sha256 hash = Sha256.digest(payload);

        assertEquals(Optional.empty(), ports().runs().run(OTHER, ours.run()));
        assertEquals(List.of(), ports().runs().runs(OTHER, RunFilter.ALL, Optional.empty(), 10));
        assertEquals(List.of(), ports().runs().entries(OTHER, ours.run(), 1, 10));
        assertEquals(Map.of(), ports().runs().payloads(OTHER, List.of(hash)));
        assertEquals(Map.of(), ports().runs().firstBytes(OTHER, List.of(hash)));
        assertEquals(Map.of(hash, (byte) '"'), ports().runs().firstBytes(ACME, List.of(hash, Sha256.ZERO)));
        Map<Sha256, byte[]> found = ports().runs().payloads(ACME, List.of(hash));
        assertEquals(Set.of(hash), found.keySet());
        assertArrayEquals(payload, found.get(hash));
    }
}
