package dev.flowstone.server.effect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.Outcome;
import dev.flowstone.outbound.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run is told of what came back. */
final class HttpResultsTest {
    private static final String URL = "\"url\": \"https://a.example:8443/path?key=hunter2\"";

    private static HttpCall call(String more) throws InvalidParameterException {
        return HttpParameters.read(Calls.call("{" + URL + more + "}"));
    }

    private static Outcome.Answer answer(int status, byte[] body, boolean truncated, HttpHeader... headers) {
        return new Outcome.Answer(status, List.of(headers), body, truncated, null, 0);
    }

    private static Outcome.Answer answer(String type, String body) {
        return answer(200, body.getBytes(StandardCharsets.UTF_8), false, HttpHeader.of("Content-Type", type));
    }

    private static JsonObject output(TaskResult result) {
        return (JsonObject)
                assertInstanceOf(TaskResult.Ok.class, result, result::toString).output();
    }

    private static TaskResult.Failed failed(TaskResult result) {
        return assertInstanceOf(TaskResult.Failed.class, result, result::toString);
    }

    /** {@code bodyIs body}. */
    private static String body(Outcome.Answer answer, String form) throws InvalidParameterException {
        JsonObject output = output(HttpResults.of(call(", \"response\": \"" + form + "\""), answer));
        return ((JsonString) output.find("bodyIs").orElseThrow()).value() + " "
                + CanonicalJson.exactText(output.find("body").orElseThrow());
    }

    @Test
    void anOutputHasStatusHeadersAndBody() throws Exception {
        Outcome.Answer answer = answer(
                201,
                "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
                false,
                HttpHeader.of("Content-Type", "application/json; charset=utf-8"),
                HttpHeader.of("Set-Cookie", "a"),
                HttpHeader.of("set-cookie", "b"));

        assertEquals(Calls.json("""
                        {"status": 201, "body": {"a": 1}, "bodyIs": "json", "truncated": false,
                         "headers": {"content-type": "application/json; charset=utf-8", "set-cookie": ["a", "b"]}}"""), output(HttpResults.of(call(""), answer)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            auto   | application/json            | {"a": 1}  | json {"a":1}
            auto   | application/problem+json    | [1]       | json [1]
            auto   | text/json;charset=x         | true      | json true
            auto   | application/json            | {"a": 1   | text "{\\"a\\": 1"
            auto   | application/json            | ''        | none null
            auto   | text/plain                  | {"a": 1}  | text "{\\"a\\": 1}"
            auto   | application/octet-stream    | grün      | text "grün"
            auto   | no/charset; charset=nonsense| grün      | text "grün"
            json   | text/plain                  | {"a": 1}  | json {"a":1}
            json   | text/plain                  | ''        | none null
            text   | application/json            | {"a": 1}  | text "{\\"a\\": 1}"
            base64 | application/json            | hello     | base64 "aGVsbG8="
            none   | application/json            | {"a": 1}  | none null
            """)
    void aBodyIsWhatItSaysAndWhatIsWanted(String form, String type, String body, String expected) throws Exception {
        assertEquals(expected, body(answer(type, body), form));
    }

    @Test
    void aTextIsReadInItsCharactersAndBytesThatAreNoneAreBase64() throws Exception {
        byte[] latin = "grün".getBytes(StandardCharsets.ISO_8859_1);
        HttpHeader type = HttpHeader.of("Content-Type", "text/plain; charset=\"ISO-8859-1\"");

        assertEquals("text \"grün\"", body(answer(200, latin, false, type), "auto"));
        assertEquals("base64 \"Z3L8bg==\"", body(answer(200, latin, false), "auto"));
        assertEquals("text \"gr\ufffdn\"", body(answer(200, latin, false), "text"));
        assertEquals("base64 \"AAE=\"", body(answer(200, new byte[] {0, 1}, false), "auto"));
        HttpHeader packed = HttpHeader.of("Content-Encoding", "gzip");
        assertEquals("base64 \"YQ==\"", body(answer(200, new byte[] {'a'}, false, packed), "auto"));
    }

    @Test
    void halfOfASurrogatePairIsNoText() throws Exception {
        byte[] half = {0, 0, (byte) 0xd8, 0};
        HttpHeader type = HttpHeader.of("Content-Type", "text/plain; charset=UTF-32");

        assertEquals("base64 \"AADYAA==\"", body(answer(200, half, false, type), "auto"));
        assertEquals("text \"?\"", body(answer(200, half, false, type), "text"));
        assertEquals(
                Calls.json("{\"status\": 400}"),
                failed(HttpResults.of(call(""), answer(400, half, false, type)))
                        .error()
                        .details());
    }

    @Test
    void whatWasCutIsNeverReadAsJsonAndEndsWithAWholeCharacter() throws Exception {
        HttpHeader type = HttpHeader.of("Content-Type", "application/json");
        Outcome.Answer number = answer(200, new byte[] {'1', '2'}, true, type);
        Outcome.Answer half = answer(200, new byte[] {'g', 'r', (byte) 0xc3}, true, type);

        assertEquals("text \"12\"", body(number, "auto"));
        assertEquals("text \"gr\"", body(half, "auto"));
        assertEquals(JsonBoolean.TRUE, output(HttpResults.of(call(""), number)).get("truncated"));
        TaskResult.Failed failed = failed(HttpResults.of(call(", \"response\": \"json\""), number));
        assertEquals("RESPONSE_NOT_JSON", failed.error().code());
        assertTrue(failed.error().message().contains("outbound.maxResponseBytes"), failed::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "301, PERMANENT",
        "304, PERMANENT",
        "400, PERMANENT",
        "401, PERMANENT",
        "404, PERMANENT",
        "422, PERMANENT",
        "408, RETRYABLE",
        "425, RETRYABLE",
        "429, EXTERNAL_LIMIT",
        "500, RETRYABLE",
        "502, RETRYABLE",
        "503, RETRYABLE",
        "504, RETRYABLE",
        "999, PERMANENT"
    })
    void aStatusThatIsNotExpectedIsAFailureOfItsClass(int status, FailureClass expected) throws Exception {
        TaskResult.Failed failed = failed(HttpResults.of(call(""), answer(status, new byte[0], false)));

        assertEquals(expected, failed.failure());
        assertEquals("HTTP_" + status, failed.error().code());
        assertEquals(Optional.empty(), failed.retryAfter());
        assertEquals(Calls.json("{\"status\": " + status + "}"), failed.error().details());
        assertEquals("https://a.example:8443 answered " + status, failed.error().message());
    }

    @Test
    void whatAnswersAfterRedirectsIsNotTakenForWhoWasAsked() throws Exception {
        TaskResult.Failed failed =
                failed(HttpResults.of(call(""), new Outcome.Answer(404, List.of(), new byte[0], false, null, 2)));

        assertEquals(
                "https://a.example:8443, redirected 2 times, ended with 404",
                failed.error().message());
    }

    @Test
    void whatWasCutToNothingIsNoJson() throws Exception {
        TaskResult.Failed failed =
                failed(HttpResults.of(call(", \"response\": \"json\""), answer(200, new byte[0], true)));

        assertEquals("RESPONSE_NOT_JSON", failed.error().code());
    }

    @Test
    void whoWantsToBeLeftAloneIs() throws Exception {
        Duration pause = Duration.ofSeconds(90);
        for (int status : new int[] {429, 503}) {
            TaskResult.Failed failed = failed(
                    HttpResults.of(call(""), new Outcome.Answer(status, List.of(), new byte[0], false, pause, 0)));

            assertEquals(FailureClass.EXTERNAL_LIMIT, failed.failure());
            assertEquals(Optional.of(pause), failed.retryAfter());
        }
        TaskResult.Failed gone =
                failed(HttpResults.of(call(""), new Outcome.Answer(404, List.of(), new byte[0], false, pause, 0)));
        assertEquals(FailureClass.PERMANENT, gone.failure());
        assertEquals(Optional.empty(), gone.retryAfter());
    }

    @Test
    void anExpectedStatusIsAnOutputWhateverItIs() throws Exception {
        assertEquals(
                Calls.json("404"),
                output(HttpResults.of(call(", \"expect\": [404]"), answer(404, new byte[0], false)))
                        .get("status"));
        assertEquals(
                "HTTP_200",
                failed(HttpResults.of(call(", \"expect\": [404]"), answer(200, new byte[0], false)))
                        .error()
                        .code());
    }

    @Test
    void aFailureShowsTheBeginningOfTheBodyWithoutWhatWasSentInSecret() throws Exception {
        HttpCall call = call(", \"headers\": {\"Authorization\": \"Bearer hunter2\", \"X-Api-Key\": \"hunter2-b\"}");
        String body = "you sent Bearer hunter2 and hunter2-b and hunter2; " + "x".repeat(2_000);

        TaskResult.Failed failed =
                failed(HttpResults.of(call, answer(400, body.getBytes(StandardCharsets.UTF_8), false)));

        assertFalse(failed.toString().contains("hunter2"), failed::toString);
        String excerpt = ((JsonString) failed.error().details().find("body").orElseThrow()).value();
        assertTrue(excerpt.startsWith("you sent [hidden] and [hidden] and [hidden]; xxx"), excerpt);
        assertEquals(1_001, excerpt.length());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Cookie        | sid=abcdef; theme=x            | {"sid":"abcdef"}             | {"sid":"[hidden]"}
            Authorization | Token token="abcdef", realm=x  | no token abcdef              | no token [hidden]
            Authorization | Basic dXNlcm5hbWU6cGFzc3dvcmQx | username has not password1   | [hidden] has not [hidden]
            Authorization | Bearer abcdef                  | Bearer was not abcdef        | Bearer was not [hidden]
            X-Api-Key     | abcdef                         | Cannot GET /path?key=hunter2 | Cannot GET [hidden]
            X-Api-Key     | abcdef                         | what is key=hunter2          | what is [hidden]
            X-Api-Key     | abcdef                         | no customer hunter2          | no customer [hidden]
            """)
    void aFailureShowsNoPartOfWhatWasSentInSecret(String header, String value, String body, String shown)
            throws Exception {
        HttpCall call = call(", \"headers\": {\"" + header + "\": \"" + value.replace("\"", "\\\"") + "\"}");

        TaskResult.Failed failed =
                failed(HttpResults.of(call, answer(404, body.getBytes(StandardCharsets.UTF_8), false)));

        assertEquals(new JsonString(shown), failed.error().details().get("body"));
    }

    @Test
    void aValueOfTheQueryIsHiddenAsItIsMeantToo() throws Exception {
        HttpCall call = HttpParameters.read(Calls.call("{\"url\": \"https://a.example/?q=a%20b%2Bcdef\"}"));

        TaskResult.Failed failed = failed(HttpResults.of(
                call, answer(404, "no a b+cdef, nor a%20b%2Bcdef".getBytes(StandardCharsets.UTF_8), false)));

        assertEquals(
                new JsonString("no [hidden], nor [hidden]"),
                failed.error().details().get("body"));
    }

    @Test
    void whatDidNotArriveIsTriedAgainAndWhatCanNotArriveIsNot() throws Exception {
        for (Outcome.Failure failure : List.of(
                new Outcome.Unresolved("m", true),
                new Outcome.Unreachable("m", true),
                new Outcome.TimedOut("m", false),
                new Outcome.Broken("m", false),
                new Outcome.TlsFailed("m", false, false))) {
            TaskResult.Failed failed = failed(HttpResults.of(call(""), failure));
            assertEquals(FailureClass.RETRYABLE, failed.failure(), failure::toString);
            assertEquals(failure.code(), failed.error().code());
        }
        for (Outcome.Failure failure : List.of(
                new Outcome.TlsFailed("m", true, true),
                new Outcome.TlsFailed("after a redirect", false, true),
                new Outcome.TooManyRedirects("m"))) {
            TaskResult.Failed failed = failed(HttpResults.of(call(""), failure));
            assertEquals(FailureClass.PERMANENT, failed.failure(), failure::toString);
            assertEquals(failure.code(), failed.error().code());
        }
    }

    @Test
    void aRefusalIsAParameterAnAddressOrARedirect() throws Exception {
        Set<Refusal> url = EnumSet.of(
                Refusal.URL, Refusal.SCHEME, Refusal.USERINFO, Refusal.HOST, Refusal.ENCODED_ADDRESS, Refusal.PORT);
        for (Refusal refusal : Refusal.values()) {
            String first = refused(refusal, true);
            String redirected = refused(refusal, false);
            if (url.contains(refusal)) {
                assertEquals("INVALID_PARAMETERS {\"path\":\"/url\"}", first);
                assertEquals("REDIRECT_REFUSED {}", redirected);
            } else if (refusal == Refusal.METHOD || refusal == Refusal.HEADER) {
                assertTrue(first.startsWith("INVALID_PARAMETERS"), first);
            } else if (refusal == Refusal.DOWNGRADE || refusal == Refusal.BODY_TO_OTHER_HOST) {
                assertEquals("REDIRECT_REFUSED {}", redirected);
            } else {
                assertEquals("ADDRESS_REFUSED {}", first, refusal::toString);
                assertEquals("ADDRESS_REFUSED {}", redirected, refusal::toString);
            }
        }
    }

    private static String refused(Refusal refusal, boolean unsent) throws InvalidParameterException {
        TaskResult.Failed failed = failed(HttpResults.of(call(""), new Outcome.Refused(refusal, "m", unsent)));
        assertEquals(FailureClass.PERMANENT, failed.failure());
        return failed.error().code() + " "
                + CanonicalJson.exactText(failed.error().details());
    }
}
