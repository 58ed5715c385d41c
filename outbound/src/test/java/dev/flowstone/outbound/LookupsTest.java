package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Name servers that are slow hold up their own names. */
@Timeout(60)
final class LookupsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final List<InetAddress> FOUND = List.of(InetAddress.ofLiteral("1.1.1.1"));

    private final CountDownLatch released = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final Lookups lookups = new Lookups(this::resolve);

    private List<InetAddress> resolve(String host) throws UnknownHostException {
        asked.add(host);
        if (host.startsWith("slow")) {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new UnknownHostException(host);
            }
        }
        if (host.equals("nobody.example")) {
            throw new UnknownHostException(host);
        }
        return FOUND;
    }

    @AfterEach
    void close() {
        released.countDown();
        lookups.close();
    }

    @Test
    void aSlowNameHoldsOneThreadHoweverManyAskForIt() throws Exception {
        List<FutureTask<List<InetAddress>>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            FutureTask<List<InetAddress>> call = new FutureTask<>(() -> lookups.find("slow.example", LONG));
            calls.add(call);
            Thread.startVirtualThread(call);
        }

        assertEquals(FOUND, lookups.find("quick.example", LONG));
        released.countDown();
        for (FutureTask<List<InetAddress>> call : calls) {
            assertEquals(FOUND, call.get());
        }
    }

    @Test
    void aSlowNameServerHoldsFourThreadsHoweverManyNamesItHas() throws Exception {
        List<FutureTask<List<InetAddress>>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String host = "slow" + i + ".evil.example";
            FutureTask<List<InetAddress>> call = new FutureTask<>(() -> lookups.find(host, LONG));
            calls.add(call);
            Thread.startVirtualThread(call);
        }
        for (int i = 0; i < 4; i++) {
            assertThrows(TimeoutException.class, () -> lookups.find("slow.evil.example", SHORT));
        }

        assertEquals(FOUND, lookups.find("quick.example", LONG));
        assertEquals(FOUND, lookups.find("quick.other.example", LONG));
        assertTrue(asked.stream().filter(host -> host.endsWith(".evil.example")).count() <= 4, asked::toString);
        released.countDown();
        for (FutureTask<List<InetAddress>> call : calls) {
            assertEquals(FOUND, call.get());
        }
    }

    @Test
    void whoHasLeftASlowNameIsFollowedByNoSecondThread() {
        for (int i = 0; i < 20; i++) {
            assertThrows(TimeoutException.class, () -> lookups.find("slow.example", SHORT));
        }

        assertEquals(List.of("slow.example"), List.copyOf(asked));
    }

    @Test
    void whatNobodyWaitsForAnyMoreDoesNotBegin() throws Exception {
        for (int i = 0; i < 16; i++) {
            String host = "slow" + i + ".example";
            assertThrows(TimeoutException.class, () -> lookups.find(host, SHORT));
        }
        assertThrows(TimeoutException.class, () -> lookups.find("late.example", SHORT));
        released.countDown();

        assertEquals(FOUND, lookups.find("quick.example", LONG));
        assertFalse(asked.contains("late.example"));
    }

    @Test
    void eachCallAfterAnAnswerAsksAgain() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertEquals(FOUND, lookups.find("quick.example", LONG));
        }
        assertThrows(ExecutionException.class, () -> lookups.find("nobody.example", LONG));
        assertThrows(ExecutionException.class, () -> lookups.find("nobody.example", LONG));

        assertEquals(100, Collections.frequency(List.copyOf(asked), "quick.example"));
        assertEquals(2, Collections.frequency(List.copyOf(asked), "nobody.example"));
    }
}
