package dev.flowstone.outbound;

import static dev.flowstone.outbound.Clients.CONFIG;
import static dev.flowstone.outbound.Clients.client;
import static dev.flowstone.outbound.Clients.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that are slow on purpose, or speak no HTTP: a call ends by its deadline, and what is endless is cut off. */
@Timeout(60)
final class SlowPeersTest {
    private static final Duration SHORT = Duration.ofMillis(400);

    private static void timesOut(String first, String drip) throws Exception {
        try (RawPeer peer = new RawPeer(first, drip);
                OutboundClient client = client(CONFIG.withDeadline(SHORT), new Names())) {
            long start = System.nanoTime();
            Outcome.Failure failure = failure(client.send(OutboundRequest.get(peer.url())));
            Duration took = Duration.ofNanos(System.nanoTime() - start);

            assertEquals("OUTBOUND_TIMEOUT", failure.code(), failure::message);
            assertFalse(failure.unsent(), "it may have been done");
            assertTrue(took.compareTo(Duration.ofSeconds(20)) < 0, took::toString);
            assertTrue(peer.hungUp.await(30, TimeUnit.SECONDS), "the connection is given up too");
        }
    }

    @Test
    void aBodyThatDripsHasTheDeadlineToo() throws Exception {
        timesOut("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x");
    }

    @Test
    void aChunkedBodyThatDripsHasTheDeadlineToo() throws Exception {
        timesOut("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n");
    }

    @Test
    void headersThatDripHaveTheDeadlineToo() throws Exception {
        timesOut("HTTP/1.1 200 OK\r\nX-A: ", "x");
    }

    @Test
    void aStatusLineThatDripsHasTheDeadlineToo() throws Exception {
        timesOut("HTTP/1.1 200 ", "x");
    }

    @Test
    void whoNeverFinishesToBeReadyHasTheDeadlineToo() throws Exception {
        timesOut("", "HTTP/1.1 102 Processing\r\n\r\n");
    }

    @Test
    void silenceHasTheDeadlineToo() throws Exception {
        timesOut("", "");
    }

    /** Several times: the socket's patience ends when the caller's does, and whoever is first must say the same. */
    @RepeatedTest(5)
    void aRequestMayAskForAnEarlierDeadline() throws Exception {
        OutboundConfig patient = CONFIG.withDeadline(Duration.ofMinutes(5));
        try (RawPeer peer = new RawPeer("", "");
                OutboundClient client = client(patient, new Names())) {
            OutboundRequest request = OutboundRequest.get(peer.url()).withDeadline(SHORT);

            Outcome.Failure failure = failure(client.send(request));

            assertEquals("OUTBOUND_TIMEOUT", failure.code(), failure::message);
            assertTrue(failure.message().contains(SHORT.toMillis() + " ms"), failure::message);
            assertTrue(peer.hungUp.await(30, TimeUnit.SECONDS), "the connection is given up too");
        }
    }

    @Test
    void aRequestMayNotAskForALaterDeadlineThanTheClients() throws Exception {
        try (RawPeer peer = new RawPeer("", "");
                OutboundClient client = client(CONFIG.withDeadline(SHORT), new Names())) {
            OutboundRequest request = OutboundRequest.get(peer.url()).withDeadline(Duration.ofMinutes(5));

            Outcome.Failure failure = failure(client.send(request));

            assertTrue(failure.message().contains(SHORT.toMillis() + " ms"), failure::message);
        }
    }

    @Test
    void aNameServerThatIsSilentHasTheDeadlineToo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Resolver silent = host -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        };
        try (OutboundClient client = client(CONFIG.withDeadline(SHORT), silent)) {
            assertEquals(
                    "OUTBOUND_TIMEOUT",
                    failure(client.send(OutboundRequest.get("http://slow.example/")))
                            .code());
        } finally {
            never.countDown();
        }
    }

    @Test
    void anEndlessBodyIsCutAtTheLimitAndNotReadFurther() throws Exception {
        try (RawPeer peer = new RawPeer("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(1_000));
                OutboundClient client = client(CONFIG.withBodyBytes(2_500), new Names())) {
            Outcome.Answer answer = Clients.answer(client.send(OutboundRequest.get(peer.url())));

            assertEquals(2_500, answer.body().length);
            assertTrue(answer.truncated());
            assertTrue(peer.hungUp.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aCallerThatIsInterruptedLeavesAndHangsUp() throws Exception {
        OutboundConfig patient = CONFIG.withDeadline(Duration.ofMinutes(5));
        try (RawPeer peer = new RawPeer("", "");
                OutboundClient client = client(patient, new Names())) {
            FutureTask<Outcome> call = new FutureTask<>(() -> client.send(OutboundRequest.get(peer.url())));
            Thread caller = Thread.startVirtualThread(call);
            assertTrue(peer.called.await(30, TimeUnit.SECONDS));

            caller.interrupt();

            ExecutionException left = assertThrows(ExecutionException.class, () -> call.get(30, TimeUnit.SECONDS));
            assertInstanceOf(InterruptedException.class, left.getCause());
            assertTrue(peer.hungUp.await(30, TimeUnit.SECONDS), "the connection is given up too");
        }
    }

    @Test
    void aCallerThatWasInterruptedBeforeDoesNotWait() throws Exception {
        try (RawPeer peer = new RawPeer("", "");
                OutboundClient client = client()) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> client.send(OutboundRequest.get(peer.url())));
        }
    }

    @Test
    void whatSpeaksNoTlsFailsAtTls() throws Exception {
        try (RawPeer peer = new RawPeer("HTTP/1.1 400 Bad Request\r\n\r\n", "");
                OutboundClient client = client()) {
            assertEquals(
                    "OUTBOUND_TLS",
                    failure(client.send(OutboundRequest.get(peer.url("https")))).code());
        }
    }

    private static void isBroken(String said) throws Exception {
        try (RawPeer peer = new RawPeer(said, "");
                OutboundClient client = client()) {
            Outcome.Failure failure = failure(client.send(OutboundRequest.get(peer.url())));

            assertEquals("OUTBOUND_BROKEN", failure.code(), failure::message);
            assertFalse(failure.unsent());
            assertTrue(peer.hungUp.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aHeaderBeyondTheLimitIsNoAnswer() throws Exception {
        isBroken("HTTP/1.1 200 OK\r\nX-A: " + "x".repeat(10_000) + "\r\n\r\n");
    }

    @Test
    void moreHeadersThanTheLimitAreNoAnswer() throws Exception {
        isBroken("HTTP/1.1 200 OK\r\n" + "X-A: x\r\n".repeat(101) + "\r\n");
    }

    @Test
    void aNonsensicalLengthIsNoAnswer() throws Exception {
        isBroken("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n");
        isBroken("HTTP/1.1 000 x\r\n\r\n");
        isBroken("HTTP/-1.1 200 OK\r\n\r\n");
    }
}
