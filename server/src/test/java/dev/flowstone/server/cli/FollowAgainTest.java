package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code executions follow} over a connection that is cut. */
@ExtendWith(RemoteServer.Shared.class)
final class FollowAgainTest {
    private final RemoteServer server;

    FollowAgainTest(RemoteServer server) {
        this.server = server;
    }

    /** What stands between the two, on one port however often it is cut. */
    private static final class Cable implements AutoCloseable {
        private final InetSocketAddress far;
        private final List<Socket> open = new CopyOnWriteArrayList<>();
        private final int port;
        private ServerSocket near;

        Cable(URI server) throws IOException {
            far = new InetSocketAddress(server.getHost(), server.getPort());
            near = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            port = near.getLocalPort();
            listen(near);
        }

        private void listen(ServerSocket socket) {
            Thread.ofVirtual().start(() -> {
                while (!socket.isClosed()) {
                    try {
                        Socket client = socket.accept();
                        Socket there = new Socket(far.getAddress(), far.getPort());
                        open.addAll(List.of(client, there));
                        pump(client, there);
                        pump(there, client);
                    } catch (IOException e) {
                        if (!socket.isClosed()) {
                            throw new UncheckedIOException(e);
                        }
                    }
                }
            });
        }

        private static void pump(Socket from, Socket to) {
            Thread.ofVirtual().start(() -> {
                try (from;
                        to) {
                    long _ = from.getInputStream().transferTo(to.getOutputStream());
                } catch (IOException e) {
                    // It was cut.
                }
            });
        }

        void cut() throws IOException {
            near.close();
            for (Socket each : open) {
                each.close();
            }
            open.clear();
        }

        void mend() throws IOException {
            near = new ServerSocket();
            near.setReuseAddress(true);
            near.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            listen(near);
        }

        @Override
        public void close() throws IOException {
            cut();
        }
    }

    @Test
    void itGoesOnWhereItWasWhenTheServerIsBack() throws Exception {
        String run = server.started(
                "paying", "{\"trigger\": {\"order\": \"follow-again\"}}", "executions", "show", "Running");
        try (Cable cable = new Cable(URI.create(server.address()));
                Cli.Running following = Cli.Running.start(
                        "executions", "follow", run, "--json", "--server", "http://127.0.0.1:" + cable.port)) {
            String first = following.line();
            cable.cut();
            following.errWith("asking again in");
            Said sent = server.call("signal", "send", "paid", "follow-again");
            assertEquals(0, sent.exit(), sent::toString);
            cable.mend();

            Said end = following.end();

            assertEquals(0, end.exit(), end::toString);
            assertTrue(end.err().contains("asking again in 0.5 s, for 3 minutes in all"), end::toString);
            assertTrue(end.err().contains("the server is back, and so it goes on"), end::toString);
            List<Long> numbers = Pattern.compile("\"sequence_number\":([0-9]+)")
                    .matcher(first + "\n" + end.out())
                    .results()
                    .map((MatchResult found) -> Long.valueOf(found.group(1)))
                    .toList();
            assertEquals(numbers.stream().sorted().distinct().toList(), numbers, "each event once, in order");
            assertTrue(numbers.size() > 2, numbers::toString);
        }
    }
}
