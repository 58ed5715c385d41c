package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.http.Server;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Which sender gets which answers. */
final class OutboxTest {
    private static final JsonMapper JSON = new JsonMapper();

    private final Server here = new Server(URI.create("http://127.0.0.1:1"), Map.of(), JSON);
    private final Server there = new Server(URI.create("http://127.0.0.1:2"), Map.of(), JSON);
    private final Outbox outbox = new Outbox();

    @BeforeEach
    void nobodyWaits() {
        outbox.close();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private Answer answer(int number) {
        Offer offer =
                Offer.read(JSON.readTree(PaperServer.task("echo", number, "1"))).orElseThrow();
        return Answer.of(new Held(offer, here), "{}".getBytes(StandardCharsets.UTF_8), true);
    }

    private List<Integer> next(Server server, int most) throws InterruptedException {
        return numbers(outbox.next(server, most));
    }

    private static List<Integer> numbers(List<Answer> batch) {
        return batch.stream()
                .map(each -> Integer.valueOf(each.held().offer.key().substring(1)))
                .toList();
    }

    private Answer suspect(int number) {
        return answer(number).again(here, 1).after(0, here, false);
    }

    @Test
    void answersForAServerThatIsAwayAreForThoseThatWork() throws InterruptedException {
        outbox.add(answer(1));
        outbox.add(answer(2));
        outbox.add(answer(3));
        assertEquals(List.of(), next(there, 500));
        outbox.away(here);

        assertEquals(List.of(1), next(here, 1));
        assertEquals(List.of(2), next(there, 1));
        outbox.back(here);

        assertEquals(List.of(), next(there, 500));
        assertEquals(List.of(3), next(here, 500));
    }

    @Test
    void whatIsInAServersWayIsThatOfOneSenderAtATime() throws InterruptedException {
        outbox.putBack(List.of(suspect(1), suspect(2)));
        outbox.add(answer(3));
        outbox.add(answer(4));

        // In any order, as their times have come.
        List<Answer> first = outbox.next(here, 500);
        while (!first.getFirst().isSuspect()) {
            first = outbox.next(here, 500);
        }
        assertEquals(1, first.size());
        outbox.add(answer(5));
        List<Answer> others = outbox.next(here, 500);
        assertEquals(0, others.stream().filter(Answer::isSuspect).count());
        assertEquals(List.of(), next(here, 500));

        outbox.tried(here, first);
        assertEquals(1, next(here, 500).size());
    }

    @Test
    void whileACallIsUnderWayAnswersGoTogetherInTheNextOne() throws Exception {
        Outbox patient = new Outbox(Duration.ofMinutes(1));
        patient.add(answer(1));
        assertEquals(List.of(1), numbers(patient.next(here, 3)), "the first goes at once");
        patient.add(answer(2));

        FutureTask<List<Answer>> next = new FutureTask<>(() -> patient.next(here, 3));
        Thread sender = Thread.ofPlatform().start(next);
        while (sender.getState() != Thread.State.TIMED_WAITING && !next.isDone()) {
            Thread.onSpinWait();
        }
        patient.add(answer(3));
        patient.add(answer(4));

        assertEquals(List.of(2, 3, 4), numbers(next.get(1, TimeUnit.MINUTES)));
    }

    @Test
    void oneThatWaitsForCompanyGoesWhenItsTimeIsUp() throws InterruptedException {
        Outbox hasty = new Outbox(Duration.ofMillis(1));
        hasty.add(answer(1));
        assertEquals(List.of(1), numbers(hasty.next(here, 3)));
        hasty.add(answer(2));

        assertEquals(List.of(2), numbers(hasty.next(here, 3)));
    }

    @Test
    void eachIsInNoLargerCompanyThanItMay() throws InterruptedException {
        outbox.putBack(List.of(answer(1).again(here, 2)));
        outbox.add(answer(2));
        outbox.add(answer(3));

        assertEquals(3, next(here, 500).size() + next(here, 500).size());
        outbox.putBack(List.of(
                answer(4).again(here, 2), answer(5).again(here, 2), answer(6).again(here, 2)));
        assertEquals(2, next(here, 500).size());
    }

    /** Those of a server for which nothing is ready would wake each other without end. */
    @Test
    void sendersWithNothingToSendSleepWhileAnswersWaitForAnotherServer() throws Exception {
        Outbox open = new Outbox();
        List<Thread> idle = List.of(sender(open), sender(open));
        open.add(answer(1));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        long before = waits(idle);

        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));

        assertTrue(waits(idle) - before < 10, "they slept " + (waits(idle) - before) + " times");
        open.close();
        for (Thread each : idle) {
            each.join();
        }
    }

    private Thread sender(Outbox open) {
        return Thread.ofPlatform().start(() -> {
            try {
                var _ = open.next(there, 500);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static long waits(List<Thread> threads) {
        return threads.stream()
                .map(each -> ManagementFactory.getThreadMXBean().getThreadInfo(each.threadId()))
                .mapToLong(ThreadInfo::getWaitedCount)
                .sum();
    }
}
