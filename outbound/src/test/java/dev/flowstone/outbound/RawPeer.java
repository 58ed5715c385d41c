package dev.flowstone.outbound;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says something to whoever connects, by itself or bit by bit, and knows when it was called and when it was hung up on. */
final class RawPeer implements AutoCloseable {
    final CountDownLatch called = new CountDownLatch(1);
    final CountDownLatch hungUp = new CountDownLatch(1);

    private final CountDownLatch stop = new CountDownLatch(1);
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));

    /**
     * A peer.
     *
     * @param first said at once
     * @param drip said again every 20 ms; nothing if it is empty
     */
    RawPeer(String first, String drip) throws IOException {
        Thread.startVirtualThread(() -> serve(first, drip));
    }

    private void serve(String first, String drip) {
        try (Socket socket = server.accept()) {
            called.countDown();
            OutputStream out = socket.getOutputStream();
            out.write(first.getBytes(US_ASCII));
            out.flush();
            while (!drip.isEmpty() && !stop.await(20, TimeUnit.MILLISECONDS)) {
                out.write(drip.getBytes(US_ASCII));
                out.flush();
            }
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            hungUp.countDown();
        } catch (IOException e) {
            hungUp.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String url() {
        return url("http");
    }

    String url(String scheme) {
        return scheme + "://127.0.0.1:" + server.getLocalPort() + "/";
    }

    @Override
    public void close() throws IOException {
        stop.countDown();
        server.close();
    }
}
