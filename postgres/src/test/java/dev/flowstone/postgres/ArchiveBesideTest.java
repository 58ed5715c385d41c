package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.Archives.Staged;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.Published;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives beside those who go on writing and reading: nobody is lost, and nobody waits for long. */
@Timeout(120)
final class ArchiveBesideTest extends ArchiveStories {
    private static final int BATCHES = 4;

    @TempDir
    private Path other = Path.of("");

    @Test
    void anotherArchiveIsRefusedWhileThisOneReplaces() throws Exception {
        over(Moves.ACME);
        over(Moves.OTHER);

        ArchiveResult archived = archivedBeside(() -> {
            assertThrows(
                    ArchiveRefusedException.class,
                    () -> opened().archives().stage(OldRuns.MONTH, OldRuns.CUTOFF, UUID.randomUUID()));
            assertThrows(
                    ArchiveRefusedException.class,
                    () -> archiver().archive(OldRuns.MONTH, OldRuns.CUTOFF, other, ArchiveStage.Listener.NONE));
        });

        assertArchived(2, archived);
    }

    @Test
    void lookingDisturbsNoArchive() throws Exception {
        over(Moves.ACME);
        over(Moves.OTHER);

        ArchiveResult beforehand = archive(at(ArchiveStage.REPLACING, this::look));

        assertArchived(2, beforehand);
        over(Moves.ACME);
        over(Moves.OTHER);
        assertArchived(2, archivedBeside(this::look));
    }

    private void look() throws Exception {
        assertEquals(new Staged(2, 2, 2, 12), archiver().look(OldRuns.MONTH, OldRuns.CUTOFF));
    }

    private void assertArchived(long runs, ArchiveResult result) throws Exception {
        ArchiveRecord record =
                assertInstanceOf(ArchiveResult.Archived.class, result).record();
        assertEquals(runs, record.runs());
        assertEquals(
                runs, number("SELECT sum(runs) FROM flowstone.archived_tenants WHERE number = " + record.number()));
        assertAllChainsStand(0);
    }

    /** Whoever takes a key again that a run of the month once had doesn't wait for the archive, nor the archive for him. */
    @Test
    void aKeyOfAnArchivedRunCanBeTakenWhileItIsReplaced() throws Exception {
        RunKey old = OldRuns.key(lease, Moves.ACME);
        Receipt spent = Moves.receipt(old, "again");
        commit(OldRuns.keeping(
                OldRuns.over(old),
                List.of(),
                List.of(new Receipt(
                        spent.key(),
                        spent.request(),
                        old.run(),
                        spent.answer(),
                        Instant.now().minusSeconds(1))),
                List.of()));
        RunKey again = OldRuns.key(lease, Moves.ACME);

        ArchiveResult archived = archivedBeside(() -> CompletableFuture.runAsync(() -> {
                    try {
                        commit(OldRuns.keeping(
                                OldRuns.living(again), List.of(), List.of(Moves.receipt(again, "again")), List.of()));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .get(30, TimeUnit.SECONDS));

        assertInstanceOf(ArchiveResult.Archived.class, archived);
        assertAllChainsStand(1);
        assertEquals(1, number("SELECT count(*) FROM flowstone.receipts WHERE run_id = '" + again.run() + "'"));
        assertEquals(1, number("SELECT count(*) FROM flowstone.receipts"));
    }

    @Test
    void whatComesForARunWhileTheCopyIsMadeStopsIt() throws Exception {
        RunKey run = over(Moves.ACME);

        ExecutionException stopped = assertThrows(
                ExecutionException.class,
                () -> archivedBeside(() -> admin(
                        "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                                + " VALUES ('acme', 's', 'k', '" + run.run() + "', 0, 'k', '', now())")));

        assertInstanceOf(ArchiveRefusedException.class, stopped.getCause());
        assertAllChainsStand(1);
    }

    @Test
    void whatIsCommittedWhileTheCopyIsMadeIsInIt() throws Exception {
        over(Moves.ACME);
        RunKey living = living();
        RunKey born = OldRuns.key(lease, Moves.OTHER);

        ArchiveResult archived = archivedBeside(() -> {
            for (int i = 0; i < 120; i++) {
                commit(OldRuns.next(row(living)));
            }
            commit(OldRuns.living(born));
        });

        assertInstanceOf(ArchiveResult.Archived.class, archived);
        assertEquals(126, row(living).lastSequence());
        assertTrue(isThere(born));
        assertAllChainsStand(2);
    }

    @Test
    void aFeedThatHasLostRowsMeanwhileStopsIt() throws Exception {
        over(Moves.ACME);
        RunKey living = living();

        ExecutionException stopped = assertThrows(
                ExecutionException.class,
                () -> archivedBeside(
                        () -> admin(
                                "INSERT INTO flowstone.feed (stream, number, committed_at, moved, counted)"
                                        + " SELECT stream, max(number) + 2, now(), '', NULL FROM flowstone.feed GROUP BY stream")));

        assertInstanceOf(ArchiveRefusedException.class, stopped.getCause());
        assertTrue(isThere(living));
        assertAllChainsStand(2);
    }

    /** From the first line of the file to the swap, somebody moves a run of the month as fast as he can. */
    @Test
    void commitsGoOnWhileAMonthIsArchived() throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            List<RunMove> moves = new ArrayList<>();
            for (int n = 0; n < 500; n++) {
                RunKey key = OldRuns.key(lease, n % 2 == 0 ? Moves.ACME : Moves.OTHER);
                moves.add(n % 10 == 0 ? OldRuns.living(key) : OldRuns.over(key));
            }
            assertEquals(
                    500, journal().commit(Moves.commit(lease, moves)).moved().size());
        }
        RunKey busy = living();
        AtomicBoolean over = new AtomicBoolean();
        ArchiveResult.Archived archived;
        int moved;
        try (var thread = Executors.newSingleThreadExecutor()) {
            Future<Integer> mover = thread.submit(() -> {
                int done = 0;
                while (!over.get()) {
                    commit(OldRuns.next(row(busy)));
                    done++;
                }
                return done;
            });
            try {
                archived = archived();
            } finally {
                over.set(true);
            }
            moved = mover.get();
        }

        assertEquals(BATCHES * 450L, archived.record().runs());
        assertTrue(moved > 0);
        assertEquals(6 + moved, row(busy).lastSequence());
        assertAllChainsStand(BATCHES * 50L + 1);
    }

    /** An engine goes on with a run that was born in a month that is archived meanwhile. */
    @Test
    void aLivingRunGoesOnAfterwards() throws Exception {
        Published waiting = Published.in(
                opened().ports().workflows(),
                Moves.ACME,
                new DocumentPrograms()
                        .timer("wait", "PT240H")
                        .edge("start", "wait")
                        .build("waiting"),
                Instant.now());
        opened().ports().leases().release(lease);
        SteppedEngine first = engine("first");
        CompletableFuture<StartAnswer> answer = first.node.start(waiting.start());
        first.until(answer::isDone);
        RunId run = ((StartAnswer.Started) answer.join()).run();
        first.until(() -> History.of(opened().ports().runs(), Moves.ACME, run).count(EventBody.TimerSet.class) > 0);
        first.crash();
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        lease = lease(run.slot().number() / 2048);
        RunRow row = row(new RunKey(Moves.ACME, run));
        RunKey old = OldRuns.key(lease, Moves.ACME);
        List<TimerRow> timers =
                journal().timers(lease.shard().id(), Instant.now().plusSeconds(10_000_000), Optional.empty(), 10);
        commit(OldRuns.copy(row, opened().ports().runs().entries(Moves.ACME, run, 1, 100), timers, old));
        over(Moves.ACME);

        archived();

        admin(
                "UPDATE flowstone.timers SET due_at = now() WHERE run_id = '" + old.run() + "'",
                "UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        SteppedEngine second = engine("second");
        second.until(() -> status(old) == RunStatus.SUCCEEDED);
        second.crash();
        assertAllChainsStand(2);
    }

    private RunStatus status(RunKey run) {
        try {
            return row(run).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private SteppedEngine engine(String name) {
        return new SteppedEngine(
                opened().ports(), name, HandlerRegistry.builder().build(), Runnable::run);
    }
}
