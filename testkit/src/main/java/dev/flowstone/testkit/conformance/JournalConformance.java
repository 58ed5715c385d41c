package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every journal must do with commits, runs, receipts and payloads. */
public abstract class JournalConformance extends PortsConformance {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private StoredRun load(RunKey key) throws JournalException {
        StoredRun run = ports().journal().load(shardOf(key), List.of(key)).get(key);
        if (run == null) {
            throw new AssertionError("no run " + key);
        }
        return run;
    }

    private ShardId shardOf(RunKey key) {
        return ports().leases().shards().stream()
                .filter(shard -> shard.holds(key.run().slot()))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private boolean exists(RunKey key) throws JournalException {
        return ports().journal().load(shardOf(key), List.of(key)).containsKey(key);
    }

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
    void aLoserAmongWinnersStoresNothingAtAll() throws JournalException {
        Lease lease = lease(0);
        RunKey winner = run(0);
        RunKey loser = run(0);
        RunKey newcomer = run(0);
        commit(
                lease,
                creation(winner).entry(2).build(),
                creation(loser).entry(5).build());
        byte[] payload = bytes("a payload of the loser");

        Committed committed = commit(
                lease,
                move(winner, 2).entry(1).build(),
                move(loser, 4)
                        .entry(1)
                        .awake()
                        .timer("t", 1, now())
                        .receipt(receipt(loser, "losing", now().plusSeconds(60)))
                        .payload(payload)
                        .message(new OutboxMessage(5, 0, "mail", JsonObject.EMPTY))
                        .snapshot(bytes("{}"))
                        .build(),
                creation(newcomer).build());

        assertEquals(Set.of(winner, newcomer), committed.moved());
        assertEquals(3, load(winner).lastSequence());
        StoredRun untouched = load(loser);
        assertEquals(5, untouched.lastSequence());
        assertEquals(1, untouched.tail().size());
        assertEquals(Optional.empty(), untouched.snapshot());
        assertEquals(List.of(), ports().journal().awake(lease.shard().id(), Optional.empty(), 10));
        assertEquals(
                List.of(), ports().journal().timers(lease.shard().id(), now().plusSeconds(9), Optional.empty(), 10));
        assertEquals(Map.of(), ports().journal().receipts(lease.shard().id(), List.of(startKey(ACME, "losing"))));
        assertEquals(Map.of(), ports().journal().payloads(ACME, List.of(Sha256.digest(payload))));
        assertEquals(List.of(), ports().outbox().due(lease, now().plusSeconds(9), 10));
    }

    @Test
    void aRunIsCreatedOnce() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        RunMove first = creation(key).entry(1, bytes("first")).build();

        assertEquals(Set.of(key), commit(lease, first).moved());
        assertEquals(
                Set.of(),
                commit(lease, creation(key).entry(1, bytes("again")).build()).moved());
        assertEquals(first.newHash(), load(key).lastHash());
        assertEquals(Set.of(), commit(lease, move(run(0), 3).build()).moved(), "a run that was never created");
    }

    @Test
    void anEmptyCommitProvesTheEpochAndNothingElse() throws JournalException {
        Lease lease = lease(0);

        Committed committed = commit(lease);

        assertEquals(Set.of(), committed.moved());
        assertEquals(0, committed.feedNumber());
        Lease taken = lease(0);
        assertThrows(JournalException.StaleEpoch.class, () -> commit(lease));
        commit(taken);
    }

    @Test
    void aStaleEpochStoresNothing() throws JournalException {
        Lease zombie = lease(0);
        RunKey key = run(0);
        commit(zombie, creation(key).build());
        Lease owner = lease(0);
        assertTrue(owner.epoch() > zombie.epoch());

        RunKey another = run(0);
        assertThrows(
                JournalException.StaleEpoch.class,
                () -> commit(zombie, move(key, 1).build(), creation(another).build()));

        assertEquals(1, load(key).lastSequence());
        assertFalse(exists(another));
        assertEquals(Set.of(key), commit(owner, move(key, 1).build()).moved());
    }

    @Test
    void aLeaseOfAnotherShardIsUntouchedByATakeover() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        Lease taken = lease(0);

        assertEquals(1, commit(second, creation(run(1)).build()).moved().size());
        assertEquals(1, commit(taken, creation(run(0)).build()).moved().size());
        assertThrows(
                JournalException.StaleEpoch.class,
                () -> commit(first, creation(run(0)).build()));
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

    @Test
    void badDataOfOneRunIsReportedAndStoresNothing() throws JournalException {
        Lease lease = lease(0);
        RunKey good = run(0);
        RunKey bad = run(0);

        assertThrows(
                JournalException.BadData.class,
                () -> commit(
                        lease,
                        creation(good).build(),
                        creation(bad).correlation("a NUL \u0000 here").build()));
        assertFalse(exists(good));
        assertFalse(exists(bad));

        Receipt poisoned = receipt(bad, "nul \u0000", now().plusSeconds(60));
        assertThrows(
                JournalException.BadData.class,
                () -> commit(lease, creation(bad).receipt(poisoned).build()));
        assertEquals(Set.of(good), commit(lease, creation(good).build()).moved(), "the journal goes on");
    }

    @Test
    void databaseTimeComesWithEachCommitAndNeverGoesBack() throws JournalException {
        Lease lease = lease(0);

        Committed first = commit(lease, creation(run(0)).build());
        pass(Duration.ofMillis(5));
        Committed second = commit(lease, creation(run(0)).build());

        assertFalse(second.databaseTime().isBefore(first.databaseTime()));
        assertTrue(
                Duration.between(ports().clock().now(), second.databaseTime())
                                .abs()
                                .toSeconds()
                        < 60,
                "near the clock of this machine");
    }

    @Test
    void ofTwoCommitsThatRaceForARunOneWins() throws Exception {
        Lease lease = lease(0);
        RunKey contested = run(0);
        commit(lease, creation(contested).build());
        int wins = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Boolean>> tries = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RunKey own = run(0);
                byte[] mark = bytes("try " + i);
                tries.add(() -> {
                    Committed committed = commit(
                            lease,
                            move(contested, 1).entry(1, mark).build(),
                            creation(own).build());
                    assertTrue(committed.moved().contains(own), "who loses one run keeps the others");
                    return committed.moved().contains(contested);
                });
            }
            for (Future<Boolean> done : threads.invokeAll(tries)) {
                if (done.get()) {
                    wins++;
                }
            }
        }

        assertEquals(1, wins);
        assertEquals(2, load(contested).lastSequence());
    }

    @Test
    void consumesOnlyWhatBecamePartOfAMove() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).build());
        Inboxes.accept(ports(), key, "kept");

        Committed lost = ports().journal()
                .commit(new Commit(lease, List.of(move(key, 9).build()), List.of(Inboxes.key(key, "kept"))));

        assertEquals(Set.of(), lost.moved());
        assertEquals(1, ports().journal().inbox(lease, 10).size());

        ports().journal().commit(new Commit(lease, List.of(move(key, 1).build()), List.of(Inboxes.key(key, "kept"))));
        assertEquals(List.of(), ports().journal().inbox(lease, 10));
    }
}
