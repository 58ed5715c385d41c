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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
    void aNameThatTurnsInsideAfterItWasCheckedIsNotFollowedThere() throws Exception {
        OutboundConfig config =
                OutboundConfig.DEFAULT.withPolicy(AddressPolicy.PUBLIC_ONLY.withAllowedNetworks("127.0.0.2"));
        Names names = new Names().with("rebound.example", "127.0.0.2").with("rebound.example", "127.0.0.1");
        try (Peer outside = Peer.at("127.0.0.2", 0, got -> Peer.Reply.ok("outside"));
                Peer inside = Peer.at("127.0.0.1", outside.port(), got -> Peer.Reply.ok("inside"));
                OutboundClient client = client(config, names)) {
            OutboundRequest request = OutboundRequest.get(outside.url("rebound.example", "/"));

            assertEquals("outside", text(answer(client.send(request))));
            assertEquals(1, names.asked.size(), "who answers something else the second time isn't asked");

            assertEquals(Refusal.LOOPBACK, refused(client.send(request)).refusal());
            assertEquals(2, names.asked.size());
            assertEquals(1, outside.got.size());
            assertTrue(inside.got.isEmpty());
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
        // An empty list of exceptions, or the JDK would leave the loopback interface out of it.
        Map<String, String> http =
                Map.of("http.proxyHost", "127.0.0.1", "http.proxyPort", "1", "http.nonProxyHosts", "");
        Map<String, String> socks =
                Map.of("socksProxyHost", "127.0.0.1", "socksProxyPort", "1", "http.nonProxyHosts", "");
        try (Peer peer = Peer.plain(got -> Peer.Reply.ok("direct"))) {
            String url = peer.url("127.0.0.1", "/");
            for (Map<String, String> properties : List.of(http, socks)) {
                properties.forEach(System::setProperty);
                try (OutboundClient client = client()) {
                    assertNotEquals(
                            List.of(Proxy.NO_PROXY),
                            ProxySelector.getDefault().select(URI.create(url)),
                            "whoever asks for a proxy is told of one that isn't there");
                    assertEquals("direct", text(answer(client.send(OutboundRequest.get(url)))));
                } finally {
                    properties.keySet().forEach(System::clearProperty);
                }
            }
        }
    }

    @Test
    void noMoreCallsGoToOneHostAtOnceThanMay() throws Exception {
        CyclicBarrier two = new CyclicBarrier(2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Peer peer = Peer.plain(got -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    met(two);
                    inside.decrementAndGet();
                    return Peer.Reply.ok("");
                });
                OutboundClient client = client(CONFIG.withPerHost(2, 0), new Names())) {
            List<FutureTask<Outcome>> calls = Stream.generate(
                            () -> new FutureTask<>(() -> client.send(OutboundRequest.get(peer.url("127.0.0.1", "/")))))
                    .limit(6)
                    .toList();
            calls.forEach(Thread::startVirtualThread);

            for (FutureTask<Outcome> call : calls) {
                assertEquals(200, answer(call.get()).status());
            }
            assertEquals(2, most.get());
        }
    }

    @Test
    void whoGetsNoPlaceInTimeIsUnsent() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        try (Peer peer = Peer.plain(got -> {
                    met(both);
                    met(both);
                    return Peer.Reply.ok("");
                });
                OutboundClient client = client(CONFIG.withPerHost(1, 0), new Names())) {
            OutboundRequest request = OutboundRequest.get(peer.url("127.0.0.1", "/"));
            FutureTask<Outcome> first = new FutureTask<>(() -> client.send(request));
            Thread.startVirtualThread(first);
            met(both);

            Outcome.Failure second = failure(client.send(request.withDeadline(Duration.ofMillis(100))));
            met(both);

            assertEquals("OUTBOUND_TIMEOUT", second.code());
            assertTrue(second.unsent(), second::message);
            assertTrue(second.message().contains("outbound.perHost"), second::message);
            assertEquals(200, answer(first.get()).status());
            assertEquals(1, peer.got.size());
        }
    }

    private static void met(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
