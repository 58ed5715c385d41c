package dev.flowstone.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers on the loopback interface that have to know theirs before they start. None is told twice, nor to two processes
 * at once: the UDP port of the same number is held as long as this JVM lives. They lie below those that systems give to whoever asks
 * for any, so that no connection comes to have one meanwhile.
 */
public final class FreePort {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    /** Held, for whoever else looks for a port. */
    private static final Set<DatagramSocket> TOLD = new HashSet<>();

    private FreePort() {}

    /** One that nobody listens on; for whoever asks, and nobody else. */
    public static synchronized int next() {
        int start = ThreadLocalRandom.current().nextInt(COUNT);
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + (start + i) % COUNT;
            if (isMine(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port from " + FIRST + " on is free");
    }

    private static boolean isMine(int port) {
        try {
            DatagramSocket hold = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            if (isFree(port)) {
                TOLD.add(hold);
                return true;
            }
            hold.close();
            return false;
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At every address: some servers listen at all of them. */
    private static boolean isFree(int port) throws IOException {
        try (ServerSocket _ = new ServerSocket(port)) {
            return true;
        } catch (BindException e) {
            return false;
        }
    }
}
