package dev.flowstone.testkit.conformance;

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
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
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

/** What every journal must do with the moves of a commit: who wins is stored whole, who loses leaves nothing. */
public abstract class CommitConformance extends PortsConformance {
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
