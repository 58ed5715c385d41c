package dev.flowstone.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * The driver's sockets: one on which nothing is under way, and whose other side has gone without a word, is broken after 25 seconds,
 * where the system would wait for hours. Where something was sent and nothing acknowledges it, no probe is: that is what the
 * limits of the pools are for. Made by the driver, by name; the driver turns keep-alive on.
 */
public final class KeptAlive extends SocketFactory {
    private static final int IDLE_SECONDS = 10;
    private static final int BETWEEN_SECONDS = 5;
    private static final int PROBES = 3;

    /** Called by the driver. */
    public KeptAlive() {}

    /** The one that the driver asks for, and connects itself. */
    @Override
    public Socket createSocket() throws IOException {
        return kept(new Socket());
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return kept(SocketFactory.getDefault().createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return kept(SocketFactory.getDefault().createSocket(host, port, from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return kept(SocketFactory.getDefault().createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return kept(SocketFactory.getDefault().createSocket(host, port, from, fromPort));
    }

    private static Socket kept(Socket socket) throws IOException {
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, BETWEEN_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
        return socket;
    }
}
