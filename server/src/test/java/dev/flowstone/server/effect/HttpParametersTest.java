package dev.flowstone.server.effect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundRequest;
import dev.flowstone.outbound.RequestBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is sent for which parameters, and which are refused. */
final class HttpParametersTest {
    private static final String URL = "\"url\": \"https://a.example/x\"";

    private static HttpCall read(String parameters) throws InvalidParameterException {
        return HttpParameters.read(Calls.call(parameters));
    }

    private static OutboundRequest request(String parameters) throws InvalidParameterException {
        return read("{" + URL + ", " + parameters + "}").request();
    }

    private static RequestBody body(String parameters) throws InvalidParameterException {
        RequestBody body = request(parameters).body();
        assertNotNull(body);
        return body;
    }

    private static String sent(RequestBody body) {
        return body.contentType() + " " + new String(body.bytes(), StandardCharsets.UTF_8);
    }

    private static List<String> values(OutboundRequest request, String name) {
        return request.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(HttpHeader::value)
                .toList();
    }

    @Test
    void aUrlIsEnough() throws Exception {
        HttpCall call = read("{" + URL + "}");

        assertEquals("GET", call.request().method());
        assertEquals("https://a.example/x", call.request().url());
        assertNull(call.request().body());
        assertEquals(Duration.ofMinutes(5), call.request().deadline());
        assertEquals(ResponseForm.AUTO, call.form());
        assertTrue(call.expected().includes(200) && call.expected().includes(299));
        assertFalse(call.expected().includes(199) || call.expected().includes(300));
    }

    @Test
    void aMethodIsWrittenInUpperCase() throws Exception {
        assertEquals("PATCH", request("\"method\": \"patch\"").method());
        assertEquals("PROPFIND", request("\"method\": \"PROPFIND\"").method());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://a.example     | {"q": "a b&c=d/+ü"}        | https://a.example?q=a%20b%26c%3Dd%2F%2B%C3%BC
            https://a.example/x?y | {"n": 1.50, "b": true}     | https://a.example/x?y&b=true&n=1.5
            https://a.example/x?  | {"n": [1, "two", false]}   | https://a.example/x?n=1&n=two&n=false
            https://a.example/x#f | {"a": 1}                   | https://a.example/x?a=1
            https://a.example/x   | {"none": null, "no": []}   | https://a.example/x
            https://a.example/x   | {}                         | https://a.example/x
            """)
    void aQueryIsAddedToTheUrl(String url, String query, String expected) throws Exception {
        assertEquals(
                expected,
                read("{\"url\": \"" + url + "\", \"query\": " + query + "}")
                        .request()
                        .url());
    }

    @Test
    void headersAreSentOnceOrSeveralTimesAndTheSecretOnesAreKnown() throws Exception {
        OutboundRequest request = request("""
                "headers": {"X-One": 1, "X-Many": ["a", "b"], "X-None": null, "Accept": "text/plain",
                            "Authorization": "Bearer s", "cookie": "s", "Proxy-Authorization": "s", "X-API-Key": "s",
                            "X-Auth-Token": "s", "Webhook-Signature": "s"}""");

        assertEquals(List.of("1"), values(request, "X-One"));
        assertEquals(List.of("a", "b"), values(request, "X-Many"));
        assertEquals(List.of(), values(request, "X-None"));
        assertEquals(
                List.of("s", "s", "s", "s", "s", "s"),
                request.headers().stream()
                        .filter(HttpHeader::secret)
                        .map(header -> header.value().substring(header.value().length() - 1))
                        .toList());
        assertFalse(request.headers().stream()
                .anyMatch(it -> it.secret() && it.name().equals("Accept")));
    }

    @Test
    void eachAttemptHasTheSameKeyAndItsTraceUnlessTheUserSetsThem() throws Exception {
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        String given = "{" + URL + ", \"headers\": {\"idempotency-key\": \"mine\", \"Traceparent\": \"my\"}}";
        OutboundRequest plain = HttpParameters.read(
                        Calls.call("{" + URL + "}", "pay", Duration.ofSeconds(1), Optional.of(trace)))
                .request();
        OutboundRequest own = HttpParameters.read(Calls.call(given, "pay", Duration.ofSeconds(1), Optional.of(trace)))
                .request();
        OutboundRequest odd = HttpParameters.read(
                        Calls.call("{" + URL + "}", "bezahlen für alle", Duration.ofSeconds(1), Optional.empty()))
                .request();

        assertEquals(List.of(Calls.RUN + "/pay#1"), values(plain, "Idempotency-Key"));
        assertEquals(List.of(trace), values(plain, "traceparent"));
        assertEquals(List.of("mine"), values(own, "Idempotency-Key"));
        assertEquals(List.of("my"), values(own, "traceparent"));
        assertEquals(List.of(Calls.RUN + "/" + "0".repeat(64)), values(odd, "Idempotency-Key"));
        assertEquals(List.of(), values(odd, "traceparent"));
        assertFalse(plain.headers().stream().anyMatch(HttpHeader::secret));
    }

    @Test
    void aBodyIsJsonOrAFormOrTextOrBytes() throws Exception {
        assertEquals("application/json {\"a\":[1,null]}", sent(body("\"json\": {\"a\": [1, null]}")));
        assertEquals("application/json \"text\"", sent(body("\"json\": \"text\"")));
        assertEquals(
                "application/vnd.api+json {}",
                sent(body("\"json\": {}, \"contentType\": \"application/vnd.api+json\"")));
        assertEquals(
                "application/x-www-form-urlencoded a+b=c%26d&n=1&n=2",
                sent(body("\"form\": {\"a b\": \"c&d\", \"n\": [1, 2]}")));
        assertEquals("text/plain; charset=utf-8 grün", sent(body("\"text\": \"grün\"")));
        assertEquals("text/csv 12", sent(body("\"text\": 12, \"contentType\": \"text/csv\"")));
        assertEquals("application/octet-stream hello", sent(body("\"base64\": \"aGVsbG8=\"")));
        assertEquals("text/plain; charset=utf-8 ", sent(body("\"text\": \"\"")));
        assertEquals("application/json 1", sent(body("\"json\": 1, \"text\": null")), "null is left out");
    }

    @Test
    void theEarlierOfTwoTimeoutsHolds() throws Exception {
        assertEquals(Duration.ofSeconds(10), request("\"timeout\": \"PT10S\"").deadline());
        assertEquals(Duration.ofMinutes(5), request("\"timeout\": \"P1D\"").deadline());
    }

    @Test
    void statusesAreExpectedOneByOneByRangesAndByClasses() throws Exception {
        Expected expected =
                read("{" + URL + ", \"expect\": [404, \"2xx\", \"410-412\"]}").expected();

        for (int status : new int[] {200, 299, 404, 410, 412}) {
            assertTrue(expected.includes(status), "" + status);
        }
        for (int status : new int[] {199, 300, 403, 405, 409, 413}) {
            assertFalse(expected.includes(status), "" + status);
        }
        assertTrue(read("{" + URL + ", \"expect\": \"304\"}").expected().includes(304));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /url                 | {}
            /url                 | {"url": null}
            /url                 | {"url": {"a": 1}}
            /header              | {"url": "u", "header": {}}
            /a~1b                | {"url": "u", "a/b": 1}
            /method              | {"url": "u", "method": []}
            /query               | {"url": "u", "query": "a=b"}
            /query/a             | {"url": "u", "query": {"a": {}}}
            /query/a/1           | {"url": "u", "query": {"a": [1, null]}}
            /headers             | {"url": "u", "headers": []}
            /headers/X-A/0       | {"url": "u", "headers": {"X-A": [{}]}}
            /form                | {"url": "u", "json": 1, "form": {}}
            /base64              | {"url": "u", "text": "a", "base64": "aGVsbG8="}
            /form                | {"url": "u", "form": "a=b"}
            /text                | {"url": "u", "text": {}}
            /base64              | {"url": "u", "base64": "%%"}
            /contentType         | {"url": "u", "contentType": "text/plain"}
            /contentType         | {"url": "u", "text": "a", "contentType": "a\\nb"}
            /contentType         | {"url": "u", "text": "a", "contentType": ""}
            /timeout             | {"url": "u", "timeout": "10s"}
            /timeout             | {"url": "u", "timeout": "PT0S"}
            /timeout             | {"url": "u", "timeout": "-PT1S"}
            /expect              | {"url": "u", "expect": []}
            /expect              | {"url": "u", "expect": 99}
            /expect/1            | {"url": "u", "expect": [200, "3x"]}
            /expect/0            | {"url": "u", "expect": ["300-200"]}
            /expect/0            | {"url": "u", "expect": [200.5]}
            /response            | {"url": "u", "response": "xml"}
            """)
    void whatIsWrongIsNamedByItsPath(String path, String parameters) {
        InvalidParameterException invalid =
                assertThrows(InvalidParameterException.class, () -> read(parameters), parameters);

        TaskResult.Failed failed = assertInstanceOf(TaskResult.Failed.class, invalid.result());
        assertEquals(FailureClass.PERMANENT, failed.failure());
        assertEquals("INVALID_PARAMETERS", failed.error().code());
        assertEquals(Calls.json("{\"path\": \"" + path + "\"}"), failed.error().details());
        assertTrue(failed.error().message().startsWith(path + ": "), failed.error()::message);
    }
}
