package dev.flowstone.outbound;

import static dev.flowstone.outbound.Clients.CONFIG;
import static dev.flowstone.outbound.Clients.LOOPBACK;
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

import dev.flowstone.outbound.Peer.Reply;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Redirects over real sockets: each is a new target, and nothing secret goes along. */
final class RedirectsTest {
    private static final AddressPolicy TWO_NAMES = LOOPBACK.withAllowedHosts("one.example", "two.example");

    private static Names names() {
        return new Names().with("one.example", "127.0.0.1").with("two.example", "127.0.0.1");
    }

    private static OutboundClient clientOfTwoNames() {
        return client(CONFIG.withPolicy(TWO_NAMES), names());
    }

    /** Leads from /from to wherever, and tells at every other path that it was reached. */
    private static Peer leading(int status, String location) throws IOException {
        return Peer.plain(got -> got.uri().equals("/from") ? Reply.redirect(status, location) : Reply.ok("reached"));
    }

    static Stream<String> inside() {
        return Stream.of(
                "METADATA http://169.254.169.254/latest/meta-data/",
                "LOOPBACK http://[::1]/",
                "LOOPBACK http://localhost/",
                "LOOPBACK http://127.0.0.2/",
                "LOOPBACK //127.0.0.2/",
                "PRIVATE https://10.0.0.1/",
                "ENCODED_ADDRESS http://2130706433/",
                "ENCODED_ADDRESS http://[::ffff:127.0.0.1]/",
                "USERINFO http://user:hunter2@127.0.0.1/",
                "SCHEME file:///etc/passwd",
                "SCHEME gopher://127.0.0.1:6379/_x",
                "URL /\\evil.example",
                "URL http:\\\\evil.example",
                "URL //good.example/a b",
                "PORT http://127.0.0.1:0/");
    }

    @ParameterizedTest
    @MethodSource("inside")
    void aRedirectInsideIsRefused(String line) throws Exception {
        int space = line.indexOf(' ');
        try (Peer peer = leading(302, line.substring(space + 1));
                OutboundClient client = client()) {
            Outcome.Refused refused = refused(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/from"))));

            assertEquals(line.substring(0, space), refused.refusal().name());
            assertFalse(refused.unsent(), "the first request was sent");
            assertFalse(refused.message().contains("hunter2"), refused::message);
            assertEquals(1, peer.got.size());
        }
    }

    @Test
    void aRedirectToANameInsideIsRefused() throws Exception {
        Names names = names().with("inside.example", "10.0.0.1");
        try (Peer peer = leading(307, "http://inside.example/");
                OutboundClient client = client(CONFIG, names)) {
            assertEquals(
                    Refusal.PRIVATE,
                    refused(client.send(OutboundRequest.get(peer.url("one.example", "/from"))))
                            .refusal());
        }
    }

    @Test
    void credentialsStayWithTheirHost() throws Exception {
        try (OutboundClient client = clientOfTwoNames();
                Peer second = Peer.plain(got -> Reply.ok("reached"));
                Peer first = leading(302, second.url("two.example", "/to"))) {
            OutboundRequest request = OutboundRequest.get(first.url("one.example", "/from"))
                    .with(
                            HttpHeader.of("authorization", "Bearer hunter2"),
                            HttpHeader.of("COOKIE", "a=b"),
                            HttpHeader.of("Proxy-Authorization", "Basic x"),
                            HttpHeader.secret("X-Api-Key", "k"),
                            HttpHeader.of("X-Trace", "t"));

            Outcome.Answer answer = answer(client.send(request));

            assertEquals("reached", text(answer));
            assertEquals(1, answer.redirects());
            Peer.Got sent = first.got.element();
            Peer.Got got = second.got.element();
            for (String name : List.of("Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key")) {
                assertTrue(sent.header(name).isPresent(), name);
                assertEquals(Optional.empty(), got.header(name), name);
            }
            assertEquals(Optional.of("t"), got.header("X-Trace"));
        }
    }

    @Test
    void theSignatureOfAWebhookStaysWithItsHost() throws Exception {
        List<HttpHeader> signed =
                WebhookSignature.sign("msg_1", Clients.NOW, new byte[0], List.of(WebhookSecret.generate()));
        try (OutboundClient client = clientOfTwoNames();
                Peer second = Peer.plain(got -> Reply.ok("reached"));
                Peer first = leading(307, second.url("two.example", "/to"))) {
            answer(client.send(
                    OutboundRequest.get(first.url("one.example", "/from")).with(signed.toArray(HttpHeader[]::new))));

            for (HttpHeader header : signed) {
                assertEquals(Optional.of(header.value()), first.got.element().header(header.name()));
                assertEquals(Optional.empty(), second.got.element().header(header.name()));
            }
        }
    }

    @Test
    void anotherNameOrAnotherPortOfOneMachineIsAnotherHost() throws Exception {
        try (OutboundClient client = clientOfTwoNames();
                Peer peer = Peer.plain(got -> switch (got.uri()) {
                    case "/from" -> Reply.redirect(302, "/same");
                    case "/same" -> Reply.redirect(302, "http://two.example:" + port(got) + "/other");
                    case "/other" -> Reply.redirect(302, "http://one.example:" + port(got) + "/back");
                    default -> Reply.ok("reached");
                })) {
            OutboundRequest request =
                    OutboundRequest.get(peer.url("one.example", "/from")).with(HttpHeader.secret("X-Api-Key", "k"));

            assertEquals("reached", text(answer(client.send(request))));
            assertEquals(
                    List.of("/from true", "/same true", "/other false", "/back false"),
                    peer.got.stream()
                            .map(got ->
                                    got.uri() + " " + got.header("X-Api-Key").isPresent())
                            .toList(),
                    "and what was dropped stays dropped");
        }
    }

    private static String port(Peer.Got got) {
        String host = got.header("Host").orElseThrow();
        return host.substring(host.indexOf(':') + 1);
    }

    static Stream<String> methods() {
        return Stream.of(
                "301 GET GET",
                "302 HEAD HEAD",
                "303 HEAD HEAD",
                "307 GET GET",
                "301 POST GET",
                "302 POST GET",
                "303 POST GET",
                "303 PUT GET",
                "301 PUT PUT",
                "302 DELETE DELETE",
                "307 POST POST",
                "308 POST POST",
                "308 PATCH PATCH");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void theMethodChangesAsInBrowsers(String line) throws Exception {
        String[] parts = line.split(" ", 3);
        boolean bodied = !parts[1].equals("GET") && !parts[1].equals("HEAD");
        try (Peer peer = leading(Integer.parseInt(parts[0]), "to");
                OutboundClient client = client()) {
            String url = peer.url("127.0.0.1", "/from");
            OutboundRequest request =
                    (bodied ? OutboundRequest.post(url, json("{}")) : OutboundRequest.get(url)).withMethod(parts[1]);

            answer(client.send(request));

            Peer.Got last = List.copyOf(peer.got).getLast();
            assertEquals("/to " + parts[2], last.uri() + " " + last.method());
            boolean kept = bodied && parts[1].equals(parts[2]);
            assertEquals(kept ? "{}" : "", last.body());
            assertEquals(kept, last.header("Content-Type").isPresent());
        }
    }

    @Test
    void aBodyGoesToAnotherHostOnlyIfItMayTravel() throws Exception {
        try (OutboundClient client = clientOfTwoNames();
                Peer second = Peer.plain(got -> Reply.ok("reached"));
                Peer first = leading(307, second.url("two.example", "/to"))) {
            String url = first.url("one.example", "/from");

            Outcome.Refused refused = refused(client.send(OutboundRequest.post(url, json("{\"a\":1}"))));
            assertEquals(Refusal.BODY_TO_OTHER_HOST, refused.refusal());
            assertTrue(second.got.isEmpty());

            answer(client.send(OutboundRequest.post(url, json("{\"a\":1}").travelling())));
            assertEquals("{\"a\":1}", second.got.element().body());
        }
    }

    @Test
    void manyRedirectsAreTooMany() throws Exception {
        try (Peer peer = Peer.plain(got ->
                        Reply.redirect(302, "/" + (Integer.parseInt(got.uri().substring(1)) + 1)));
                OutboundClient client = client(CONFIG.withRedirects(2), new Names())) {
            Outcome.Failure failure = failure(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/0"))));

            assertEquals("OUTBOUND_TOO_MANY_REDIRECTS", failure.code());
            assertEquals(3, peer.got.size(), "the first and two more");
        }
    }

    @Test
    void aRequestThatFollowsNoneGetsItAsItsAnswer() throws Exception {
        try (Peer peer = leading(302, "/to");
                OutboundClient client = client(CONFIG, new Names())) {
            OutboundRequest request =
                    OutboundRequest.get(peer.url("127.0.0.1", "/from")).withoutRedirects();

            assertEquals(302, answer(client.send(request)).status());
            assertEquals(1, peer.got.size());
        }
    }

    @Test
    void withoutRedirectsOneIsAnAnswer() throws Exception {
        try (Peer peer = leading(302, "http://169.254.169.254/");
                OutboundClient client = client(CONFIG.withRedirects(0), new Names())) {
            Outcome.Answer answer = answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/from"))));

            assertEquals(302, answer.status());
            assertEquals(List.of("http://169.254.169.254/"), answer.values("Location"));
        }
    }

    @Test
    void whatLeadsNowhereIsAnAnswer() throws Exception {
        Reply twice = new Reply(302, List.of(HttpHeader.of("Location", "/a"), HttpHeader.of("Location", "/b")), "");
        try (Peer peer = Peer.plain(got -> got.uri().equals("/twice") ? twice : new Reply(302, List.of(), ""));
                OutboundClient client = client()) {
            assertEquals(
                    302,
                    answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/twice"))))
                            .status());
            assertEquals(
                    302,
                    answer(client.send(OutboundRequest.get(peer.url("127.0.0.1", "/none"))))
                            .status());
            assertEquals(2, peer.got.size());
        }
    }

    @Test
    void fromHttpsToHttpIsRefused() {
        Outcome.Answer answer = new Outcome.Answer(
                302, List.of(HttpHeader.of("Location", "http://one.example/")), new byte[0], false, null, 0);
        Target from = target("https://one.example/");

        Redirects.Step step = Redirects.next(OutboundRequest.get(from.url()), from, answer);

        assertEquals(
                Refusal.DOWNGRADE,
                assertInstanceOf(Redirects.Stop.class, step).refused().refusal());
    }

    static Stream<String> references() {
        return Stream.of(
                "/x?y http://one.example:81/x?y",
                "?y http://one.example:81/a/b?y",
                "x http://one.example:81/a/x",
                "./x http://one.example:81/a/./x",
                "../x http://one.example:81/a/../x",
                "#z http://one.example:81/a/b?c",
                "//two.example/x http://two.example/x",
                "//two.example:82 http://two.example:82",
                "https://two.example/ https://two.example/",
                "two.example:82/x two.example:82/x");
    }

    @ParameterizedTest
    @MethodSource("references")
    void aReferenceIsReadAgainstItsUrl(String line) {
        int space = line.indexOf(' ');

        assertEquals(
                line.substring(space + 1),
                Redirects.resolve(target("http://one.example:81/a/b?c"), line.substring(0, space)));
    }

    private static Target target(String url) {
        return switch (TargetReader.read(url)) {
            case TargetReader.Read read -> read.target();
            case TargetReader.Unread unread ->
                throw new AssertionError(unread.refusal().message());
        };
    }

    @Test
    void aCertificateThatIsNotTrustedStaysSoAfterARedirect() {
        assertEquals(
                new Outcome.TlsFailed("m", false, true), Redirects.afterwards(new Outcome.TlsFailed("m", true, true)));
    }
}
