package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What this machine knows of its own addresses. */
final class OwnAddressesTest {
    private static final InetAddress OLD = InetAddress.ofLiteral("8.8.8.8");
    private static final InetAddress NEW = InetAddress.ofLiteral("9.9.9.9");

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();

    private Set<InetAddress> read() {
        return switch (reads.getAndIncrement()) {
            case 0 -> Set.of(OLD);
            case 1 -> throw new UncheckedIOException(new IOException("not now"));
            default -> Set.of(NEW);
        };
    }

    private void passes(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void areReadRarelyAndHoldWhileTheyCanNotBeRead() {
        OwnAddresses own = new OwnAddresses(this::read, nanos::get);

        passes(Duration.ofMinutes(4));
        assertTrue(own.contains(OLD));
        assertFalse(own.contains(NEW));
        assertEquals(1, reads.get());

        passes(Duration.ofMinutes(2));
        assertTrue(own.contains(OLD), "what was read last holds");
        assertTrue(own.contains(OLD));
        assertEquals(2, reads.get());

        passes(Duration.ofMinutes(6));
        assertTrue(own.contains(NEW));
        assertFalse(own.contains(OLD));
    }

    @Test
    void thisMachineHasALoopbackInterface() {
        assertTrue(OwnAddresses.ofThisMachine().contains(InetAddress.ofLiteral("127.0.0.1")));
    }
}
