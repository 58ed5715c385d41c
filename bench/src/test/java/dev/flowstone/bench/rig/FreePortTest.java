package dev.flowstone.bench.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ports that two tests, or two builds, never get at once. */
final class FreePortTest {
    @Test
    void noPortIsToldTwice() {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            assertTrue(ports.add(FreePort.next()), ports::toString);
        }
    }

    @Test
    void aServerMayListenThereAndAnotherProcessSeesThatItIsTold() throws Exception {
        int port = FreePort.next();

        assertThrows(
                BindException.class,
                () -> new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).close());
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(port, server.getLocalPort());
        }
    }
}
