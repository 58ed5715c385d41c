package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Methods and headers that could become another request on their way. */
final class RequestCheckTest {
    private static final OutboundRequest REQUEST = OutboundRequest.get("https://good.example/");

    private static List<HttpHeader> headers() {
        return List.of(
                HttpHeader.of("X-A", "a\r\nX-B: b"),
                HttpHeader.of("X-A", "a\nX-B: b"),
                HttpHeader.of("X-A", "a\rb"),
                HttpHeader.of("X-A", "a\0b"),
                HttpHeader.of("X-A", "caf\u00e9"),
                HttpHeader.of("X-A", "\u560a"),
                HttpHeader.of("X-A", "a\u007f"),
                HttpHeader.of("X-A", "a".repeat(8_193)),
                HttpHeader.of("", "a"),
                HttpHeader.of("X A", "a"),
                HttpHeader.of("X-A:", "a"),
                HttpHeader.of("X-A\r\nX-B", "a"),
                HttpHeader.of("X-\u00e9", "a"),
                HttpHeader.of("a".repeat(101), "a"),
                HttpHeader.of("Host", "evil.example"),
                HttpHeader.of("content-length", "0"),
                HttpHeader.of("Transfer-Encoding", "chunked"),
                HttpHeader.of("Connection", "close"),
                HttpHeader.of("Upgrade", "h2c"),
                HttpHeader.of("TE", "trailers"),
                HttpHeader.of("Trailer", "X-A"),
                HttpHeader.of("Expect", "100-continue"));
    }

    @Test
    void refusesAHeaderThatWouldBreakOut() {
        for (HttpHeader header : headers()) {
            Outcome.Refused refused = RequestCheck.refuses(REQUEST.with(header)).orElseThrow();

            assertEquals(Refusal.HEADER, refused.refusal(), header::toString);
            assertFalse(refused.message().contains("\n"), refused::message);
        }
    }

    @Test
    void refusesAMethodThatIsNotSent() {
        for (String method : new String[] {
            "",
            "get",
            "CONNECT",
            "TRACE",
            "TRACK",
            "GE_T",
            "1GET",
            "GET ",
            "A".repeat(33),
            "GET / HTTP/1.1\r\nHost: e\r\n\r\nGET"
        }) {
            assertEquals(
                    Refusal.METHOD,
                    RequestCheck.refuses(REQUEST.withMethod(method))
                            .orElseThrow()
                            .refusal(),
                    method);
        }
    }

    @Test
    void refusesAContentTypeWithALineBreakAndTooManyHeaders() {
        OutboundRequest body =
                OutboundRequest.post("https://good.example/", RequestBody.of(new byte[0], "text/plain\r\nX-A: a"));
        HttpHeader[] many = IntStream.range(0, 101)
                .mapToObj(i -> HttpHeader.of("X-" + i, ""))
                .toArray(HttpHeader[]::new);

        assertEquals(Refusal.HEADER, RequestCheck.refuses(body).orElseThrow().refusal());
        assertEquals(
                Refusal.HEADER,
                RequestCheck.refuses(REQUEST.with(many)).orElseThrow().refusal());
    }

    @Test
    void letsOrdinaryOnesThrough() {
        for (String method :
                new String[] {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "VERSION-CONTROL"
                }) {
            assertEquals(Optional.empty(), RequestCheck.refuses(REQUEST.withMethod(method)), method);
        }
        OutboundRequest request = REQUEST.with(
                HttpHeader.of("Accept", "text/html, */*;q=0.1"),
                HttpHeader.secret("Authorization", "Bearer a.b-c_d~e+f/="),
                HttpHeader.of("X-Empty", ""),
                HttpHeader.of("X_Odd.Name!", "tab\there"));

        assertEquals(Optional.empty(), RequestCheck.refuses(request));
    }
}
