package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.outbound.HostGates.Place;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many calls one host gets, at once and in a second. */
@Timeout(60)
final class HostGatesTest {
    private static final String HOST = "one.example";

    private static Optional<Place> enter(HostGates gates, String host, Duration patience) throws InterruptedException {
        return gates.enter(host, Deadline.in(patience));
    }

    private static Place entered(HostGates gates, String host) throws InterruptedException {
        return enter(gates, host, Duration.ofSeconds(20)).orElseThrow();
    }

    @Test
    void aPlaceThatIsGivenBackIsTheNextOnes() throws Exception {
        HostGates gates = new HostGates(2, 0);
        Place first = entered(gates, HOST);
        Place second = entered(gates, HOST);

        assertTrue(enter(gates, HOST, Duration.ofMillis(20)).isEmpty());
        entered(gates, "two.example").close();
        first.close();
        entered(gates, HOST).close();
        second.close();

        assertEquals(0, gates.hosts(), "whom nobody calls is forgotten");
    }

    @Test
    void whoWaitsIsWokenByAPlace() throws Exception {
        HostGates gates = new HostGates(1, 0);
        Place first = entered(gates, HOST);
        Thread closer = Thread.startVirtualThread(first::close);

        entered(gates, HOST).close();
        closer.join();

        assertEquals(0, gates.hosts());
    }

    @Test
    void callsBeginEvenly() throws Exception {
        HostGates gates = new HostGates(10, 20);
        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            entered(gates, HOST).close();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        assertTrue(took.compareTo(Duration.ofMillis(199)) > 0, took::toString);
    }

    @Test
    void aTurnThatWouldComeTooLateIsNotWaitedFor() throws Exception {
        HostGates gates = new HostGates(1, 0.001);
        entered(gates, HOST).close();

        assertTrue(enter(gates, HOST, Duration.ofSeconds(30)).isEmpty());
        assertTrue(enter(gates, HOST, Duration.ofSeconds(30)).isEmpty());
        assertEquals(1, gates.hosts(), "it is remembered until its next turn");
        entered(gates, "two.example").close();
    }
}
