package dev.flowstone.outbound;

import static dev.flowstone.outbound.Clients.CONFIG;
import static dev.flowstone.outbound.Clients.answer;
import static dev.flowstone.outbound.Clients.client;
import static dev.flowstone.outbound.Clients.failure;
import static dev.flowstone.outbound.Clients.json;
import static dev.flowstone.outbound.Clients.refused;
import static dev.flowstone.outbound.Clients.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is sent and what comes back, over real sockets. */
final class OutboundClientTest {
    @Test
    void sendsMethodHeadersAndBodyAndNothingBesides() throws Exception {
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("hello"));
                OutboundClient client = client()) {
            OutboundRequest request = OutboundRequest.post(peer.url("127.0.0.1", "/a/b?c=d"), json("{\"a\":1}"))
                    .with(HttpHeader.of("X-One", "1"), HttpHeader.secret("X-Key", "k"));

            Outcome.Answer answer = answer(client.send(request));

            assertEquals(200, answer.status());
            assertEquals("hello", text(answer));
            assertFalse(answer.truncated());
            Peer.Got got = peer.got.element();
            assertEquals("POST /a/b?c=d", got.method() + " " + got.uri());
            assertEquals("{\"a\":1}", got.body());
            assertEquals(Optional.of("application/json"), got.header("Content-Type"));
            assertEquals(Optional.of("1"), got.header("X-One"));
            assertEquals(Optional.of("k"), got.header("X-Key"));
            assertEquals(Optional.of("127.0.0.1:" + peer.port()), got.header("Host"));
            assertEquals(Optional.empty(), got.header("Upgrade"));
            assertEquals(Optional.empty(), got.header("Accept-Encoding"));
        }
    }

    @Test
    void eachStatusIsAnAnswer() throws Exception {
        try (Peer peer = Peer.plain(
                        got -> new Peer.Reply(Integer.parseInt(got.uri().substring(1)), List.of(), ""));
                OutboundClient client = client()) {
            for (int status : new int[] {200, 204, 304, 400, 401, 404, 407, 429, 500, 503}) {
                assertEquals(
                        status,
                        answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/" + status))))
                                .status());
            }
            assertEquals(10, peer.got.size(), "nothing is sent twice");
        }
    }

    @Test
    void aLongBodyIsCutAndSaysSo() throws Exception {
        OutboundConfig config = CONFIG.withBodyBytes(1_000);
        try (Peer peer = Peer.plain(got ->
                        Peer.Reply.ok("x".repeat(Integer.parseInt(got.uri().substring(1)))));
                OutboundClient client = client(config, new Names())) {
            Outcome.Answer whole = answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/1000"))));
            Outcome.Answer cut = answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/1001"))));
            Outcome.Answer far = answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/5000000"))));

            assertEquals(1_000, whole.body().length);
            assertFalse(whole.truncated());
            assertEquals(1_000, cut.body().length);
            assertTrue(cut.truncated());
            assertEquals(1_000, far.body().length);
            assertTrue(far.truncated());
        }
    }

    @Test
    void whatWasCompressedStaysCompressed() throws Exception {
        Peer.Reply gzip = new Peer.Reply(200, List.of(HttpHeader.of("Content-Encoding", "gzip")), "not unpacked");
        try (Peer peer = Peer.plain(got -> gzip);
                OutboundClient client = client()) {
            Outcome.Answer answer = answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/"))));

            assertEquals("not unpacked", text(answer));
            assertEquals(List.of("gzip"), answer.values("content-encoding"));
        }
    }

    @Test
    void noCookieIsKept() throws Exception {
        Peer.Reply cookie = new Peer.Reply(200, List.of(HttpHeader.of("Set-Cookie", "a=b; Path=/")), "");
        try (Peer peer = Peer.plain(got -> cookie);
                OutboundClient client = client()) {
            client.send(OutboundRequest.get(peer.url("127.0.0.1", "/")));
            client.send(OutboundRequest.get(peer.url("127.0.0.1", "/")));

            assertTrue(peer.got.stream().allMatch(got -> got.header("Cookie").isEmpty()));
        }
    }

    @Test
    void tellsHowLongTheServerWantsToBeLeftAlone() throws Exception {
        Peer.Reply busy = new Peer.Reply(429, List.of(HttpHeader.of("Retry-After", "120")), "");
        try (Peer peer = Peer.plain(got -> busy);
                OutboundClient client = client()) {
            assertEquals(
                    Optional.of(Duration.ofMinutes(2)),
                    answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/"))))
                            .retryAfter());
        }
    }

    @Test
    void aNameIsLookedUpOnceAndWhatWasCheckedIsConnectedTo() throws Exception {
        Names names = new Names().with("peer.example", "127.0.0.1").with("peer.example", "10.9.9.9");
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("here"));
                OutboundClient client = client(CONFIG, names)) {
            Outcome first = client.send(OutboundRequest.get(peer.url("peer.example", "/")));
            Outcome second = client.send(OutboundRequest.get(peer.url("peer.example", "/")));

            assertEquals("here", text(answer(first)));
            assertEquals(
                    Optional.of("peer.example:" + peer.port()),
                    peer.got.element().header("Host"));
            assertEquals(Refusal.PRIVATE, refused(second).refusal(), "a connection in the pool excuses nobody");
            assertEquals(List.of("peer.example", "peer.example"), List.copyOf(names.asked));
        }
    }

    @Test
    void aNameThatTurnsToLoopbackAfterItWasCheckedIsNotFollowedThere() throws Exception {
        OutboundConfig config = OutboundConfig.DEFAULT.withDeadline(Duration.ofMillis(300));
        Names names = new Names().with("rebound.example", "240.0.0.1").with("rebound.example", "127.0.0.1");
        OutboundConfig letThrough = config.withPolicy(AddressPolicy.PUBLIC_ONLY.withAllowedNetworks("240.0.0.1"));
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("inside"));
                OutboundClient client = client(letThrough, names)) {
            Outcome outcome = client.send(OutboundRequest.get(peer.url("rebound.example", "/")));

            assertInstanceOf(Outcome.Failure.class, outcome, "nobody is at the address that was checked");
            assertEquals(1, names.asked.size());
            assertTrue(peer.got.isEmpty());
        }
    }

    @Test
    void aHostWithOneAddressInsideIsRefusedAsAWhole() throws Exception {
        Names names = new Names().with("mixed.example", "127.0.0.1", "192.168.0.1");
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("inside"));
                OutboundClient client = client(CONFIG, names)) {
            Outcome.Refused refused = refused(client.send(OutboundRequest.get(peer.url("mixed.example", "/"))));

            assertEquals(Refusal.PRIVATE, refused.refusal());
            assertTrue(refused.unsent());
            assertTrue(peer.got.isEmpty());
        }
    }

    @Test
    void theNextAddressIsTriedIfNobodyTakesTheConnection() throws Exception {
        AddressPolicy policy = AddressPolicy.PUBLIC_ONLY.withAllowedNetworks("127.0.0.0/8");
        Names names = new Names().with("two.example", "127.9.9.9", "127.0.0.1");
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("second"));
                OutboundClient client = client(CONFIG.withPolicy(policy), names)) {
            assertEquals("second", text(answer(client.send(OutboundRequest.get(peer.url("two.example", "/"))))));
        }
    }

    @Test
    void nobodyAtThePortIsUnreachable() throws Exception {
        try (OutboundClient client = client()) {
            Outcome.Failure failure = failure(client.send(OutboundRequest.get("http://127.0.0.1:" + freePort() + "/")));

            assertEquals("OUTBOUND_UNREACHABLE", failure.code());
            assertTrue(failure.unsent());
        }
    }

    @Test
    void aNameWithoutAddressIsUnresolved() throws Exception {
        try (OutboundClient client = client()) {
            Outcome.Failure failure = failure(client.send(OutboundRequest.get("http://nobody.example/")));

            assertEquals("OUTBOUND_UNRESOLVED", failure.code());
            assertTrue(failure.message().contains("http://nobody.example:80"), failure::message);
        }
    }

    @Test
    void noProxyOfTheEnvironmentIsAsked() throws Exception {
        String[] properties = {
            "http.proxyHost", "http.proxyPort", "socksProxyHost", "socksProxyPort", "http.nonProxyHosts"
        };
        String[] values = {"127.0.0.1", "1", "127.0.0.1", "1", ""};
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("direct"))) {
            for (int i = 0; i < properties.length; i++) {
                System.setProperty(properties[i], values[i]);
            }
            try (OutboundClient client = client()) {
                assertEquals("direct", text(answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/"))))));
            }
        } finally {
            for (String property : properties) {
                System.clearProperty(property);
            }
        }
    }

    @Test
    void nothingTellsASecret() throws Exception {
        OutboundRequest request = OutboundRequest.post(
                        "http://nobody.example/hunter2?key=hunter2", json("{\"password\":\"hunter2\"}"))
                .with(HttpHeader.secret("Authorization", "Bearer hunter2"), HttpHeader.of("X-Any", "hunter2"));
        try (OutboundClient client = client()) {
            String told = request + " " + failure(client.send(request)) + " "
                    + client.send(request.withUrl("http://10.0.0.1/hunter2?key=hunter2")) + " "
                    + client.send(request.withUrl("http://u:hunter2@nobody.example/")) + " " + WebhookSecret.generate();

            assertFalse(told.contains("hunter2"), told);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
