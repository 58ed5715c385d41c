package dev.flowstone.bench.torture.net;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a proxy does to connections, seen from both of their ends. */
@Timeout(60)
final class FaultProxyTest {
    private static final int SOON_MILLIS = 300;
    private static final byte[] READY = {'Z', 0, 0, 0, 5, 'I'};

    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final ServerSocket server;
    private final FaultProxy proxy;

    FaultProxyTest() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        proxy = FaultProxy.to(server.getLocalPort());
    }

    @BeforeEach
    void open() {
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    accepted.add(server.accept());
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private Socket other() throws InterruptedException {
        return requireNonNull(accepted.poll(30, TimeUnit.SECONDS), "nobody has connected to the server");
    }

    private static void send(Socket from, byte[] what) throws IOException {
        from.getOutputStream().write(what);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void hears(Socket at, byte[] what) throws IOException {
        assertArrayEquals(what, at.getInputStream().readNBytes(what.length));
    }

    private static void hearsNothing(Socket at) throws IOException {
        at.setSoTimeout(SOON_MILLIS);
        assertThrows(SocketTimeoutException.class, () -> at.getInputStream().read());
        at.setSoTimeout(0);
    }

    @Test
    void passesBothWaysUntilEitherEnds() throws Exception {
        try (Socket client = connect();
                Socket other = other()) {
            send(client, bytes("question"));
            hears(other, bytes("question"));
            send(other, bytes("answer"));
            hears(client, bytes("answer"));

            other.shutdownOutput();
            assertEquals(-1, client.getInputStream().read());
        }
    }

    @Test
    void isLateByTheLatency() throws Exception {
        proxy.slow(Duration.ofMillis(200), Duration.ofMillis(50));
        long begin = System.nanoTime();
        try (Socket client = connect();
                Socket other = other()) {
            send(client, bytes("question"));
            hears(other, bytes("question"));
        }
        assertTrue(System.nanoTime() - begin >= Duration.ofMillis(400).toNanos(), "to connect, and to ask");
    }

    @Test
    void handsNothingOnWhileItStandsStillAndAllAfterwards() throws Exception {
        try (Socket client = connect();
                Socket other = other()) {
            proxy.standStill();
            send(client, bytes("question"));
            hearsNothing(other);
            try (Socket late = connect()) {
                send(late, bytes("late"));
                assertNull(accepted.poll(SOON_MILLIS, TimeUnit.MILLISECONDS));

                proxy.clear();
                hears(other, bytes("question"));
                try (Socket lateOther = other()) {
                    hears(lateOther, bytes("late"));
                }
            }
        }
    }

    @Test
    void resetsWhoeverComesWhileItRefuses() throws Exception {
        try (Socket client = connect();
                Socket other = other()) {
            proxy.refuse();
            try (Socket late = connect()) {
                assertThrows(IOException.class, () -> {
                    int end = late.getInputStream().read();
                    throw new IOException("ended with " + end);
                });
            }
            send(client, bytes("still"));
            hears(other, bytes("still"));
        }
    }

    @Test
    void resetsAllThatThereAre() throws Exception {
        try (Socket client = connect();
                Socket other = other()) {
            send(client, bytes("question"));
            hears(other, bytes("question"));
            proxy.resetAll();
            assertThrows(IOException.class, () -> client.getInputStream().read());
            assertThrows(IOException.class, () -> other.getInputStream().read());
        }
        try (Socket client = connect();
                Socket other = other()) {
            send(client, bytes("again"));
            hears(other, bytes("again"));
        }
    }

    /** The server has had the request and has answered; the client is told of a reset. */
    @Test
    void losesTheAnswerToACommitAndToNothingElse() throws Exception {
        byte[] commit = bytes("SELECT flowstone.commit_2(" + "?, ".repeat(300) + ")");
        byte[] look = bytes("SELECT 1");
        proxy.loseCommitAnswers(1);
        try (Socket client = connect();
                Socket other = other()) {
            send(client, look);
            hears(other, look);
            send(other, READY);
            hears(client, READY);

            send(client, commit);
            hears(other, commit);
            send(other, READY);
            assertThrows(IOException.class, () -> client.getInputStream().read());
        }
        assertEquals(1, proxy.lostAnswers());
        try (Socket client = connect();
                Socket other = other()) {
            send(client, commit);
            hears(other, commit);
            send(other, READY);
            hears(client, READY);
        }
        assertEquals(1, proxy.lostAnswers(), "as many as it was told to lose");
    }
}
