package dev.flowstone.server.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Bounds;
import dev.flowstone.server.http.Hosts;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.http.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a node that stops leaves what others have posted. */
final class PostOfficeTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Border border =
            new Border(new Routes(List.of()), new PeerCallers(), Hosts.any(), Watch.NONE, Bounds.of(1_000, 10));
    private final CountDownLatch taking = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    /** Has one call, and after it nothing is heard of the database. */
    private final class Box implements PostBox {
        private boolean has;

        Box(boolean has) {
            this.has = has;
        }

        @Override
        public void post(UUID call, String node, byte[] asked, Duration patience) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Posted> take(String node, int limit) throws Unavailable {
            if (has) {
                has = false;
                return List.of(new Posted(UUID.randomUUID(), new byte[] {0}));
            }
            taking.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
            throw new Unavailable("away");
        }

        @Override
        public void answer(UUID call, byte[] answer) {
            answering.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            answered.countDown();
        }

        @Override
        public Optional<Progress> look(UUID call) {
            return Optional.empty();
        }

        @Override
        public boolean withdraw(UUID call) {
            return false;
        }

        @Override
        public void remove(UUID call) {
            // Nobody asks.
        }

        @Override
        public void sweep() {
            // Nobody looks.
        }
    }

    @Test
    void whoWaitsForTheDatabaseIsInterruptedOnceTheTimeIsOver() throws Exception {
        PostOffice office = PostOffice.open(new Box(false), "one", border);
        assertTrue(taking.await(60, TimeUnit.SECONDS));
        long told = System.nanoTime();

        office.end();
        office.await(Duration.ofMillis(10));

        assertTrue(interrupted.await(60, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - told < LONG.toNanos());
    }

    @Test
    void whatWasTakenIsAnsweredFirst() throws Exception {
        PostOffice office = PostOffice.open(new Box(true), "one", border);
        assertTrue(answering.await(60, TimeUnit.SECONDS));
        assertTrue(taking.await(60, TimeUnit.SECONDS));
        office.end();
        office.await(Duration.ofMillis(10));
        assertFalse(answered.await(0, TimeUnit.SECONDS), "its time was short");

        mayAnswer.countDown();
        office.await(LONG);

        assertEquals(0, answered.getCount());
    }
}
