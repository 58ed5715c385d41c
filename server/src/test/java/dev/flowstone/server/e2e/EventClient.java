package dev.flowstone.server.e2e;

import dev.flowstone.kernel.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads a stream of events off a bare socket, so that the connection can be killed anywhere. */
final class EventClient implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    private final List<String> ids = new ArrayList<>();
    private final List<JsonObject> events = new ArrayList<>();
    private Optional<String> lastId = Optional.empty();
    private String pending = "";

    private EventClient(Socket socket, BufferedReader in) {
        this.socket = socket;
        this.in = in;
    }

    /** Connects, and reads the headers of the answer. */
    static EventClient connect(int port, String query, String... headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) Duration.ofMinutes(1).toMillis());
        StringBuilder request =
                new StringBuilder("GET /api/v1/events" + query + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        EventClient client = new EventClient(socket, in);
        String status = in.readLine();
        if (status == null || !status.startsWith("HTTP/1.1 200")) {
            throw new IOException("answered " + status);
        }
        String line = status;
        while (line != null && !line.isEmpty()) {
            line = in.readLine();
        }
        return client;
    }

    /** The id to come back with. */
    Optional<String> lastId() {
        return lastId;
    }

    List<JsonObject> events() {
        return events;
    }

    List<String> ids() {
        return ids;
    }

    /** Reads on until there are so many events. */
    EventClient until(int count) throws IOException {
        return until(it -> it.events.size() >= count);
    }

    /** Reads on until it has a place to come back to. */
    EventClient started() throws IOException {
        return until(it -> it.lastId.isPresent());
    }

    EventClient until(Predicate<EventClient> enough) throws IOException {
        while (!enough.test(this)) {
            String line = in.readLine();
            if (line == null) {
                throw new IOException("it ended after " + events.size() + " events");
            }
            take(line);
        }
        return this;
    }

    /** Reads to the end, which the server makes. */
    void drain() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            take(line);
        }
    }

    /** Sizes of chunks stand between, on lines of their own; they are neither of these. */
    private void take(String line) {
        if (line.startsWith("id: ")) {
            pending = line.substring(4);
            lastId = Optional.of(pending);
        } else if (line.startsWith("data: ")) {
            ids.add(pending);
            events.add((JsonObject) House.value(line.substring(6)));
        }
    }

    @Override
    public void close() throws IOException {
        // Not in good order: what was not read yet is thrown away.
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
