package dev.flowstone.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between clients and a server, and can let the connections that there are go dead as a machine does that loses its
 * power: nothing comes through any more, and nobody is told. Connections that are made later are whole.
 */
final class SilentProxy implements AutoCloseable {
    private final ServerSocket door;
    private final int server;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    private SilentProxy(ServerSocket door, int server) {
        this.door = door;
        this.server = server;
    }

    /** One before a server on this machine. */
    static SilentProxy before(int server) throws IOException {
        SilentProxy proxy = new SilentProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server);
        Thread.ofVirtual().start(proxy::accept);
        return proxy;
    }

    int port() {
        return door.getLocalPort();
    }

    /** What clients say on the connections that there are is lost from now on, and answers as well. */
    void silence() {
        lines.forEach(line -> {
            line.deaf = true;
            line.mute = true;
        });
    }

    /** What clients say on the connections that there are still arrives, but no answer does. */
    void mute() {
        lines.forEach(line -> line.mute = true);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Line line = new Line(client, new Socket(InetAddress.getLoopbackAddress(), server));
                lines.add(line);
                Thread.ofVirtual().start(() -> line.pump(true));
                Thread.ofVirtual().start(() -> line.pump(false));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** A connection. */
    private static final class Line {
        private final Socket client;
        private final Socket server;
        private volatile boolean deaf;
        private volatile boolean mute;

        Line(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        /** Ends with the connection; a dead one ends for nobody but whoever closes it. */
        void pump(boolean asked) {
            try {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                InputStream from = (asked ? client : server).getInputStream();
                OutputStream to = (asked ? server : client).getOutputStream();
                byte[] buffer = new byte[1 << 16];
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    if (!(asked ? deaf : mute)) {
                        to.write(buffer, 0, read);
                    }
                }
            } catch (IOException e) {
                // One of the sides is gone.
            }
            if (!deaf && !mute) {
                close();
            }
        }

        void close() {
            try (client;
                    server) {
                // Both.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        lines.forEach(Line::close);
    }
}
