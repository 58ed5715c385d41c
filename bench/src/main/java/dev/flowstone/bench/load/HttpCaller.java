package dev.flowstone.bench.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One caller with one connection that stays open. It knows as much of HTTP/1.1 as Flowstone's answers need, because a
 * general client would take more of the two cores than the server that is measured. Not thread-safe.
 */
public final class HttpCaller implements AutoCloseable {
    private static final int MOST_LINE = 8 << 10;
    private static final String LENGTH = "content-length:";
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final String host;

    public HttpCaller(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.host = "127.0.0.1:" + port;
    }

    /** What came back. */
    public record Answer(int status, String body) {}

    /** Sends JSON for a tenant, in the name of a user with a role, and waits for the answer. */
    public Answer post(String path, String tenant, String role, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nFlowstone-Tenant: " + tenant
                        + "\r\nFlowstone-Principal: user:bench\r\nFlowstone-Roles: " + role
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        socket.getOutputStream().write(all);
        return read();
    }

    private Answer read() throws IOException {
        String status = line();
        int length = -1;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
        }
        if (length < 0) {
            throw new IOException("the answer '" + status + "' doesn't say how long it is");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new IOException("the answer '" + status + "' was cut off");
        }
        return new Answer(Integer.parseInt(status.split(" ", 3)[1]), new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int c = in.read();
            if (c < 0 || line.length() > MOST_LINE) {
                throw new IOException("the server closed the connection, or answers no HTTP");
            }
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
