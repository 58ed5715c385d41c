package dev.flowstone.bench.torture.net;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy in front of a server, through which everything passes until it is told otherwise. What is said
 * here holds for all connections, those that exist and those that come.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int CONNECT_MILLIS = 5_000;

    private final ServerSocket door;
    private final InetSocketAddress target;
    private final Weather weather = new Weather();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    private FaultProxy(ServerSocket door, InetSocketAddress target) {
        this.door = requireNonNull(door);
        this.target = requireNonNull(target);
    }

    /** In front of that port of the loopback interface, on a free one. */
    public static FaultProxy to(int port) throws IOException {
        return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** In front of that address, on a free port of the loopback interface. */
    public static FaultProxy to(InetSocketAddress target) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        FaultProxy proxy = new FaultProxy(new ServerSocket(0, BACKLOG, loopback), target);
        Thread.ofVirtual().name("fault-proxy").start(proxy::accept);
        return proxy;
    }

    public int port() {
        return door.getLocalPort();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Thread.startVirtualThread(() -> serve(client));
            } catch (IOException e) {
                // The door is closed, or the client has gone again.
            }
        }
    }

    private void serve(Socket client) {
        try {
            weather.pass();
            if (weather.refuses()) {
                Link.reset(client);
                return;
            }
            Socket server = new Socket();
            server.connect(target, CONNECT_MILLIS);
            Link link = new Link(client, server, weather);
            links.add(link);
            if (door.isClosed()) {
                link.reset();
            }
            link.run();
            links.remove(link);
        } catch (IOException e) {
            Link.reset(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Requests and answers are under way for this long, and up to the jitter longer, on each read. */
    public void slow(Duration latency, Duration jitter) {
        weather.slow(latency, jitter);
    }

    /** Takes connections and bytes, and hands nothing on; what it has taken arrives when it is clear again. */
    public void standStill() {
        weather.stand();
    }

    /** Whoever connects is reset; connections that exist go on. */
    public void refuse() {
        weather.refuse();
    }

    /** Resets every connection that exists. */
    public void resetAll() {
        links.forEach(Link::reset);
    }

    /** The answers to the next so many commits get lost on their way: the server has done it, the client is told of a reset. */
    public void loseCommitAnswers(int answers) {
        weather.lose(answers);
    }

    /** How many answers got lost, ever. */
    public int lostAnswers() {
        return weather.lost();
    }

    /** Everything passes again. */
    public void clear() {
        weather.clear();
    }

    @Override
    public void close() throws IOException {
        door.close();
        weather.clear();
        resetAll();
    }
}
