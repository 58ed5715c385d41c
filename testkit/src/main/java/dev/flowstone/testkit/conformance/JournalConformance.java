package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.state.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every journal must do with commits, runs, receipts and payloads: give back whole what it was given. */
public abstract class JournalConformance extends PortsConformance {
    @Test
    void givesBackWhatWasCommittedByteByByte() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        byte[] everyByte = new byte[256];
        for (int i = 0; i < 256; i++) {
            everyByte[i] = (byte) i;
        }
        RunMove move =
                creation(key).entry(3, everyByte).entry(1, bytes("second")).build();

        Committed committed = commit(lease, move);

        assertEquals(Set.of(key), committed.moved());
        StoredRun run = load(key);
        assertEquals(4, run.lastSequence());
        assertEquals(move.newHash(), run.lastHash());
        assertEquals(MoveBuilder.WORKFLOW, run.workflow());
        assertEquals(1, run.version());
        assertEquals(MoveBuilder.PROGRAM, run.program());
        assertEquals(Optional.empty(), run.snapshot());
        assertEquals(
                List.of(1L, 4L),
                run.tail().stream().map(StoredEntry::firstSequence).toList());
        assertEquals(
                List.of(3L, 4L),
                run.tail().stream().map(StoredEntry::lastSequence).toList());
        assertArrayEquals(everyByte, run.tail().getFirst().bytes());
        assertEquals(move.entries().getFirst().hash(), run.tail().getFirst().hash());
    }

    @Test
    void movesManyRunsAtOnceAndLoadsThemInOneCall() throws JournalException {
        Lease lease = lease(0);
        List<RunMove> moves = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            moves.add(creation(run(0)).entry(1 + i % 3, bytes("run " + i)).build());
        }

        Committed committed = commit(lease, moves.toArray(RunMove[]::new));

        assertEquals(300, committed.moved().size());
        List<RunKey> keys = moves.stream().map(RunMove::key).toList();
        Map<RunKey, StoredRun> loaded = ports().journal().load(lease.shard().id(), keys);
        assertEquals(300, loaded.size());
        for (RunMove move : moves) {
            StoredRun run = loaded.get(move.key());
            assertTrue(run != null && run.lastHash().equals(move.newHash()), () -> "of " + move.key());
        }
    }

    @Test
    void leavesOutRunsThatDoNotExist() throws JournalException {
        Lease lease = lease(0);
        RunKey there = run(0);
        commit(lease, creation(there).build());

        assertEquals(
                Set.of(there),
                ports().journal()
                        .load(lease.shard().id(), List.of(run(0), there, run(0)))
                        .keySet());
        assertEquals(Map.of(), ports().journal().load(lease.shard().id(), List.of()));
    }

    @Test
    void aSnapshotShortensTheTail() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key).entry(2).entry(3).snapshot(bytes("{\"at\":5}")).build());
        commit(lease, move(key, 5).entry(2, bytes("after")).build());

        StoredRun run = load(key);

        assertEquals(5, run.snapshot().orElseThrow().sequence());
        assertArrayEquals(bytes("{\"at\":5}"), run.snapshot().orElseThrow().bytes());
        assertEquals(
                List.of(6L), run.tail().stream().map(StoredEntry::firstSequence).toList());
        assertEquals(7, run.lastSequence());

        commit(lease, move(key, 7).entry(1).snapshot(bytes("{\"at\":8}")).build());

        assertEquals(8, load(key).snapshot().orElseThrow().sequence());
        assertEquals(List.of(), load(key).tail());
    }

    @Test
    void theWholeOfARunIsLoadedAsIfItHadNoSnapshot() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key).entry(2).entry(3).snapshot(bytes("{\"at\":5}")).build());
        commit(lease, move(key, 5).entry(2, bytes("after")).build());

        StoredRun run = loadWhole(key);

        assertEquals(Optional.empty(), run.snapshot());
        assertEquals(
                List.of(1L, 3L, 6L),
                run.tail().stream().map(StoredEntry::firstSequence).toList());
        assertEquals(load(key).lastHash(), run.lastHash());
    }

    @Test
    void payloadsAreKeptOnceByTenantAndHash() throws JournalException {
        Lease lease = lease(0);
        byte[] big = new byte[1 << 20];
        for (int i = 0; i < big.length; i++) {
            big[i] = (byte) (i * 31);
        }
        byte[] small = bytes("\"small\"");
        RunKey first = run(0);
        RunKey second = run(0);
        commit(
                lease,
                creation(first).payload(big).payload(small).build(),
                creation(second).payload(small).payload(small).build());

        Map<Sha256, byte[]> found = ports().journal()
                .payloads(ACME, List.of(Sha256.digest(big), Sha256.digest(small), Sha256.digest(bytes("unknown"))));

        assertEquals(Set.of(Sha256.digest(big), Sha256.digest(small)), found.keySet());
        assertArrayEquals(big, found.get(Sha256.digest(big)));
        assertEquals(Map.of(), ports().journal().payloads(OTHER, List.of(Sha256.digest(small))));
    }

    @Test
    void aBigEntryComesBackWhole() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        byte[] big = new byte[3 << 20];
        big[1_000_000] = 7;

        commit(lease, creation(key).entry(1, big).build());

        assertArrayEquals(big, load(key).tail().getFirst().bytes());
    }

    @Test
    void awakeRunsArePagedInKeyOrder() throws JournalException {
        Lease lease = lease(0);
        List<RunKey> awake = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            RunKey key = run(i % 2 == 0 ? ACME : OTHER, 0);
            awake.add(key);
            commit(lease, creation(key).awake().build(), creation(run(0)).build());
        }
        lease(1);
        awake.sort(null);

        List<RunKey> first = ports().journal().awake(lease.shard().id(), Optional.empty(), 4);
        assertEquals(awake.subList(0, 4), first);
        assertEquals(awake.subList(4, 7), ports().journal().awake(lease.shard().id(), Optional.of(first.getLast()), 4));
        assertEquals(List.of(), ports().journal().awake(shard(1).id(), Optional.empty(), 4));

        commit(lease, move(awake.getFirst(), 1).build());
        assertEquals(awake.subList(1, 7), ports().journal().awake(lease.shard().id(), Optional.empty(), 100));
    }

    @Test
    void aFinalRunKeepsItsHistory() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).entry(1).build());
        commit(lease, move(key, 1).entry(2).status(RunStatus.SUCCEEDED).build());

        assertEquals(3, load(key).lastSequence());
        assertEquals(2, load(key).tail().size());
    }

    @Test
    void aRunThatChangesItsProgramTellsTheNewOneFromThatCommitOn() throws JournalException {
        Lease lease = lease(0);
        RunKey moving = run(0);
        RunKey staying = run(0);
        RunKey losing = run(0);
        commit(
                lease,
                creation(moving).build(),
                creation(staying).build(),
                creation(losing).build());
        Sha256 other = Sha256.digest(bytes("another program"));

        Committed committed = commit(
                lease,
                move(moving, 1).migrated(7, other).build(),
                move(staying, 1).build(),
                move(losing, 9).migrated(7, other).build());

        assertEquals(Set.of(moving, staying), committed.moved());
        assertEquals(7, load(moving).version());
        assertEquals(other, load(moving).program());
        for (RunKey same : List.of(staying, losing)) {
            assertEquals(1, load(same).version());
            assertEquals(MoveBuilder.PROGRAM, load(same).program());
        }
        assertEquals(
                7,
                ports().runs().run(moving.tenant(), moving.run()).orElseThrow().version());
        commit(lease, move(moving, 2).build());
        assertEquals(other, load(moving).program(), "a later move keeps it");
        assertEquals(
                Set.of(moving),
                commit(lease, move(moving, 3).migrated(8, MoveBuilder.PROGRAM).build())
                        .moved());
        assertEquals(MoveBuilder.PROGRAM, load(moving).program(), "also where every run of a commit moves");
    }
}
