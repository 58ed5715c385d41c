package dev.flowstone.outbound;

import static dev.flowstone.outbound.Clients.CONFIG;
import static dev.flowstone.outbound.Clients.client;
import static dev.flowstone.outbound.Clients.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever comes of a request, what is said of it tells neither path nor query, header or body. */
@Timeout(60)
final class SecretsTest {
    private static final String SECRET = "hunter2";
    private static final String PATH = "/" + SECRET + "?key=" + SECRET;

    private final List<Outcome> outcomes = new ArrayList<>();
    private OutboundClient client;

    @BeforeEach
    void open() {
        Names names = new Names().with("known.example", "127.0.0.1");
        client = client(CONFIG.withDeadline(Duration.ofSeconds(2)), names);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static OutboundRequest request(String url) {
        return OutboundRequest.post(url, json("{\"password\":\"" + SECRET + "\"}"))
                .with(HttpHeader.secret("Authorization", "Bearer " + SECRET), HttpHeader.of("X-Any", SECRET));
    }

    private void send(OutboundRequest request) throws InterruptedException {
        outcomes.add(client.send(request));
    }

    private void toNobody() throws Exception {
        for (String url : List.of(
                "http://nobody.example" + PATH,
                "http://10.0.0.1" + PATH,
                "http://169.254.169.254" + PATH,
                "http://localhost" + PATH,
                "http://u:" + SECRET + "@nobody.example/",
                "http://" + SECRET + "%40nobody.example/",
                SECRET + "://nobody.example/",
                "http://nobody.example:" + SECRET + PATH,
                "http://nobody.example/ " + SECRET,
                "http://nobody.example/{" + SECRET + "}")) {
            send(request(url));
        }
        send(request("http://nobody.example" + PATH).withMethod(SECRET));
        send(request("http://nobody.example" + PATH).with(HttpHeader.of("X-Any", SECRET + "\n")));
        send(request("http://nobody.example" + PATH).with(HttpHeader.of(SECRET + "\n", "x")));
        send(request("http://nobody.example" + PATH).with(HttpHeader.of("Host", SECRET)));
    }

    private void toWhoMisbehaves() throws Exception {
        String closed;
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
            closed = "http://127.0.0.1:" + silent.getLocalPort();
            send(request(closed + PATH));
        }
        send(request(closed + PATH));
        try (RawPeer peer = new RawPeer("HTTP/1.1 " + SECRET + "\r\n\r\n", "")) {
            send(request(peer.url() + SECRET));
        }
        try (RawPeer peer = new RawPeer("HTTP/1.1 400 " + SECRET + "\r\n\r\n", "")) {
            send(request(peer.url("https") + SECRET));
        }
    }

    private void toWhoHangsUp() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.startVirtualThread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + SECRET)
                                    .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            send(request("http://127.0.0.1:" + server.getLocalPort() + PATH));
        }
    }

    private void toWhereRedirectsLead() throws Exception {
        List<String> locations = List.of(
                "http://10.0.0.1" + PATH,
                "http://u:" + SECRET + "@known.example/",
                "http://known.example" + PATH,
                "http://nobody.example/ " + SECRET,
                SECRET + "://known.example/",
                PATH);
        for (String location : locations) {
            try (Peer peer = Peer.plain(got -> Peer.Reply.redirect(307, location))) {
                send(request(peer.url("127.0.0.1", PATH)));
            }
        }
        Peer.Reply shown = new Peer.Reply(200, List.of(HttpHeader.of("X-Any", SECRET)), SECRET);
        try (Peer peer = Peer.plain(got -> shown)) {
            send(request(peer.url("127.0.0.1", PATH)));
        }
    }

    @Test
    void noOutcomeTellsASecret() throws Exception {
        toNobody();
        toWhoMisbehaves();
        toWhoHangsUp();
        toWhereRedirectsLead();

        for (Outcome outcome : outcomes) {
            assertFalse(outcome.toString().contains(SECRET), outcome::toString);
            if (outcome instanceof Outcome.Failure failure) {
                assertFalse(failure.message().contains(SECRET), failure::message);
            }
        }
        Set<String> seen = outcomes.stream()
                .map(outcome -> outcome.getClass().getSimpleName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = Stream.concat(
                        Stream.of(Outcome.Answer.class), Stream.of(Outcome.Failure.class.getPermittedSubclasses()))
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(all, seen, "of each kind there is one");
    }

    @Test
    void noRequestHeaderOrWebhookSecretTellsItself() {
        WebhookSecret secret = WebhookSecret.generate();
        String told = request("http://nobody.example" + PATH) + " " + HttpHeader.of("X-Any", SECRET) + " " + secret;

        assertFalse(told.contains(SECRET), told);
        assertFalse(told.contains(secret.text().substring(6)), told);
    }
}
