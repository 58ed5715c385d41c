package dev.flowstone.bench.torture.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** One client's connection through a proxy to the server. It ends on both sides when it does on one. */
final class Link {
    private static final int BUFFER = 1 << 16;

    private final Socket client;
    private final Socket server;
    private final Weather weather;
    private final CommitWatch watch = new CommitWatch();

    Link(Socket client, Socket server, Weather weather) {
        this.client = client;
        this.server = server;
        this.weather = weather;
    }

    /** Returns when it has ended. */
    void run() throws InterruptedException {
        Thread answers = Thread.startVirtualThread(() -> carry(server, client, this::isLost));
        carry(client, server, this::isNoted);
        answers.join();
    }

    /** Looks at what is under way; whether it is lost. */
    @FunctionalInterface
    private interface Look {
        boolean loses(byte[] bytes, int length);
    }

    private boolean isNoted(byte[] bytes, int length) {
        watch.asks(bytes, length);
        return false;
    }

    private boolean isLost(byte[] bytes, int length) {
        return watch.isCommitted(bytes, length) && weather.losesThisAnswer();
    }

    private void carry(Socket from, Socket to, Look look) {
        byte[] bytes = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                weather.pass();
                if (look.loses(bytes, read)) {
                    reset();
                    return;
                }
                out.write(bytes, 0, read);
            }
        } catch (IOException e) {
            // One side has gone; so does the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(client);
            close(server);
        }
    }

    /** Both sides are told that the connection was reset, whatever was under way. */
    void reset() {
        // Both, before either is closed: whoever pumps finds one gone, and closes the other.
        linger(client);
        linger(server);
        close(client);
        close(server);
    }

    /** Ends a connection by a reset. */
    static void reset(Socket socket) {
        linger(socket);
        close(socket);
    }

    private static void linger(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It has ended already.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It has ended already.
        }
    }
}
