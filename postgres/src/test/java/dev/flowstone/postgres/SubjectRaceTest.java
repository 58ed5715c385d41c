package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.read.EditWindow;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever sends them, and from wherever: starts and edits of one subject take turns in the database. */
final class SubjectRaceTest extends PostgresTest {
    private static final int ROUNDS = 25;

    private static RunMove birth(RunKey key, Subject subject) {
        return Moves.bound(key, new WindowRow(subject, true, Optional.of(EditWindow.OPEN), 1, true, true));
    }

    /** Whether it got through; one of a subject that was taken doesn't. */
    private Callable<Boolean> commits(Lease lease, RunMove move, CountDownLatch start) {
        return () -> {
            start.await();
            try {
                return journal().commit(Moves.commit(lease, move)).moved().size() == 1;
            } catch (JournalException.SubjectTaken e) {
                return false;
            }
        };
    }

    @Test
    void ofTwoThatMustBeAloneOneIsBoundWhoeverOwnsTheShards() throws Exception {
        Lease one = lease(0);
        Lease other = lease(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                Subject subject = new Subject("race", "" + round);
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Boolean>> both = List.of(
                        threads.submit(commits(one, birth(Moves.run(one), subject), start)),
                        threads.submit(commits(other, birth(Moves.run(other), subject), start)));
                start.countDown();

                assertEquals(
                        List.of(false, true),
                        Stream.of(both.get(0).get(), both.get(1).get()).sorted().toList());
            }
        }
        assertEquals(ROUNDS, number("SELECT count(*) FROM flowstone.runs"));
        assertEquals(ROUNDS, number("SELECT count(*) FROM flowstone.subject_windows WHERE live"));
    }

    @Test
    void aRunThatIsBoundWhileItsSubjectIsEditedHearsOfItOrIsRefused() throws Exception {
        Lease lease = lease(0);
        int told = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                Subject subject = new Subject("edit", "" + round);
                RunKey run = Moves.run(lease);
                CountDownLatch start = new CountDownLatch(1);
                Future<Boolean> bound = threads.submit(commits(lease, birth(run, subject), start));
                Future<MutationAnswer> edited = threads.submit(() -> {
                    start.await();
                    return opened().ports()
                            .subjects()
                            .mutate(
                                    new SubjectChange(Moves.ACME, subject, 1, Set.of(), Optional.empty()),
                                    (sql, version) -> {});
                });
                start.countDown();

                boolean hears = edited.get() instanceof MutationAnswer.Done done
                        && done.told().contains(run.run());
                assertEquals(bound.get(), hears, () -> "round of " + subject);
                told += hears ? 1 : 0;
            }
        }
        long messages = number("SELECT count(*) FROM flowstone.inbox WHERE kind = 'subject-changed'");
        assertEquals(told, messages);
        assertTrue(
                number("SELECT count(*) FROM flowstone.subjects WHERE version = 2") == ROUNDS, "every edit was made");
    }
}
