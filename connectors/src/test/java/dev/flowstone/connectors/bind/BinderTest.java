package dev.flowstone.connectors.bind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.flowstone.action.Param;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Parameters fit a record exactly, or every fault is told at its place. */
final class BinderTest {
    enum Urgency {
        LOW,
        HIGH
    }

    record Line(String article, @Param(min = 1, max = 99) int pieces) {}

    record Order(
            @Param(value = "who orders", minLength = 2, maxLength = 10, pattern = "^[a-z]+$")
            String customer,

            List<Line> lines,
            Urgency urgency,
            Optional<Duration> within,
            Optional<BigDecimal> limit,
            Optional<Map<String, Integer>> marks,
            @JsonProperty("ship_to") Optional<String> shipTo,
            Optional<JsonNode> note) {}

    /** Knows what no schema can say. */
    record Range(int from, int to) {
        Range {
            if (from > to) {
                throw new IllegalArgumentException("from is not above to");
            }
        }
    }

    record Search(Range range, Range other) {}

    record Loop(Optional<Loop> next) {}

    record Odd(Thread thread) {}

    private static final String GOOD = """
            {"customer": "anna", "lines": [{"article": "a", "pieces": 2}], "urgency": "HIGH", "within": "PT5M",
             "limit": 0.1000000000000000055, "marks": {"x": 1}, "ship_to": "home", "note": null}""";

    private final Binder<Order> orders = new Binder<>(Order.class, Optional.empty());

    private static JsonValue json(String text) throws Exception {
        return JsonParser.parse(text.getBytes(UTF_8));
    }

    private static <P> List<String> faults(Binder<P> binder, String text) throws Exception {
        return switch (binder.bind(json(text))) {
            case Bound.Faulty<P> faulty ->
                faulty.faults().stream()
                        .map(it -> it.path() + " " + it.message())
                        .toList();
            case Bound.Parameters<P> bound -> throw new AssertionError("it was bound: " + bound);
        };
    }

    private static <P> P bound(Binder<P> binder, String text) throws Exception {
        return switch (binder.bind(json(text))) {
            case Bound.Parameters<P> bound -> bound.value();
            case Bound.Faulty<P> faulty -> throw new AssertionError(text + ": " + faulty);
        };
    }

    @Test
    void makesTheRecordNumbersExact() throws Exception {
        Order order = bound(orders, GOOD);
        assertEquals("anna", order.customer());
        assertEquals(List.of(new Line("a", 2)), order.lines());
        assertEquals(Urgency.HIGH, order.urgency());
        assertEquals(Optional.of(Duration.ofMinutes(5)), order.within());
        assertEquals(Optional.of(new BigDecimal("0.1000000000000000055")), order.limit());
        assertEquals(Optional.of(Map.of("x", 1)), order.marks());
        assertEquals(Optional.of("home"), order.shipTo());
    }

    @Test
    void whatIsOptionalMayBeLeftOutOrNull() throws Exception {
        for (String text : List.of(
                "{\"customer\": \"anna\", \"lines\": [], \"urgency\": \"LOW\"}",
                "{\"customer\": \"anna\", \"lines\": [], \"urgency\": \"LOW\", \"within\": null, \"ship_to\": null, \"note\": null}")) {
            Order order = bound(orders, text);
            assertEquals(Optional.empty(), order.within());
            assertEquals(Optional.empty(), order.shipTo());
            assertEquals(Optional.empty(), order.note(), "any JSON is no other than the rest");
        }
    }

    @Test
    void namesEachFaultByItsPointerAndAllAtOnce() throws Exception {
        List<String> faults = faults(orders, """
                {"customer": "B", "lines": [{"article": "a", "pieces": 0}, {"article": 7, "pieces": "2"}, {"pieces": 1.5, "x/y": 1}],
                 "urgency": "later", "limit": "9", "marks": {"a": true}, "shipTo": "home"}""");
        List<String> paths =
                faults.stream().map(it -> it.replaceFirst(" .*", "")).toList();
        assertEquals(
                List.of(
                        "/customer",
                        "/customer",
                        "/limit",
                        "/lines/0/pieces",
                        "/lines/1/article",
                        "/lines/1/pieces",
                        "/lines/2/article",
                        "/lines/2/pieces",
                        "/lines/2/x~1y",
                        "/marks/a",
                        "/shipTo",
                        "/urgency"),
                paths,
                faults::toString);
        assertTrue(
                faults.contains(
                        "/shipTo there is no such parameter; there are customer, limit, lines, marks, note, ship_to,"
                                + " urgency, within"),
                faults::toString);
        assertTrue(faults.contains("/lines/2/article it is missing: add it"), faults::toString);
    }

    @Test
    void nullCountsAsMissingAndNothingIsTakenForSomethingElse() throws Exception {
        assertEquals(
                List.of(
                        "/customer it is missing: add it",
                        "/lines it is missing: add it",
                        "/urgency it is missing: add it"),
                faults(orders, "{\"customer\": null}"));
        assertEquals(3, faults(orders, "null").size());
        assertEquals(1, faults(orders, "[]").size());
        assertEquals(1, faults(orders, "\"text\"").size());
    }

    @Test
    void aTextThatIsNoDurationIsToldWithoutItsValue() throws Exception {
        List<String> faults = faults(
                orders, "{\"customer\": \"anna\", \"lines\": [], \"urgency\": \"LOW\", \"within\": \"hunter2\"}");
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().startsWith("/within "), faults::toString);
        assertFalse(faults.getFirst().contains("hunter2"), faults::toString);
    }

    @Test
    void whatOnlyARecordKnowsIsToldForEachParameter() throws Exception {
        Binder<Search> searches = new Binder<>(Search.class, Optional.empty());
        assertEquals(
                List.of("/other from is not above to", "/range from is not above to"),
                faults(searches, "{\"range\": {\"from\": 2, \"to\": 1}, \"other\": {\"from\": 3, \"to\": 1}}"));
        assertEquals(
                List.of(" from is not above to"),
                faults(new Binder<>(Range.class, Optional.empty()), "{\"from\": 2, \"to\": 1}"));
    }

    @Test
    void numbersBeyondTheTypeAreOutOfRangeAndNoAccident() throws Exception {
        List<String> faults = faults(
                new Binder<>(Range.class, Optional.empty()), "{\"from\": 99999999999, \"to\": -99999999999999999999}");
        assertEquals(2, faults.size(), faults::toString);
    }

    @Test
    void aSchemaOfItsOwnIsCheckedBesidesTheRecord() throws Exception {
        JsonObject given = (JsonObject) json("""
                {"properties": {"lines": {"minItems": 1}, "customer": {"not": {"const": "root"}}}}""");
        List<String> faults = faults(
                new Binder<>(Order.class, Optional.of(given)),
                "{\"customer\": \"root\", \"lines\": [], \"x\": 1, \"urgency\": \"LOW\"}");
        assertEquals(
                List.of("/customer", "/lines", "/x"),
                faults.stream().map(it -> it.replaceFirst(" .*", "")).toList());
    }

    @Test
    void whateverComesIsTakenAsJson() throws Exception {
        Binder<JsonNode> any = new Binder<>(JsonNode.class, Optional.empty());
        assertEquals("{\"a\":[1,null]}", bound(any, "{\"a\": [1, null]}").toString());
    }

    @Test
    void beforeTemplatesAreFilledInOnlyWhatIsCertainIsAFault() throws Exception {
        JsonObject written = (JsonObject) json("""
                {"customer": "{{ trigger.name }}", "lines": [{"article": "{{ trigger.x }}"}], "urgency": "never", "more": 1}""");
        assertEquals(
                List.of("/more", "/urgency"),
                orders.look(written).stream().map(it -> it.path()).toList());
        assertEquals(
                List.of("/customer", "/lines", "/urgency"),
                orders.look(JsonObject.EMPTY).stream().map(it -> it.path()).toList());
    }

    @Test
    void theSchemaSaysWhatTheRecordDemands() throws Exception {
        assertEquals(CanonicalJson.exactText(json("""
                        {"type": "object", "additionalProperties": false, "required": ["article", "pieces"],
                         "properties": {"article": {"type": "string"}, "pieces": {"type": "integer", "minimum": 1, "maximum": 99}}}""")), CanonicalJson.exactText(RecordSchema.of(Line.class)));
        assertEquals(
                "who orders",
                ((JsonString) JsonPointer.parse("/properties/customer/description")
                                .find(orders.shape())
                                .orElseThrow())
                        .value());
    }

    @Test
    void whatHasNoSchemaIsRefusedByName() {
        assertEquals("Odd.thread is a java.lang.Thread", refusal(Odd.class));
        assertEquals("Loop.next contains itself: take a JsonNode there", refusal(Loop.class));
        assertThrows(IllegalArgumentException.class, () -> new Binder<>(String.class, Optional.empty()));
    }

    private static String refusal(Class<?> type) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new Binder<>(type, Optional.empty()));
        return String.valueOf(refused.getMessage()).replaceFirst(", which has no schema.*", "");
    }

    @Test
    void manyFaultsAreBounded() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            lines.append(i == 0 ? "" : ",").append("{\"pieces\": 0}");
        }
        assertEquals(
                50,
                faults(orders, "{\"customer\": \"anna\", \"urgency\": \"LOW\", \"lines\": [" + lines + "]}")
                        .size());
    }

    /** Knows by what the JDK throws, which repeats the value. */
    record Careless(Optional<String> number, Optional<String> place) {
        Careless {
            number.ifPresent(Integer::parseInt);
            place.ifPresent(URI::create);
        }
    }

    @Test
    void whatAConstructorCallsIsNotQuotedSinceItRepeatsTheValue() throws Exception {
        Binder<Careless> binder = new Binder<>(Careless.class, Optional.empty());
        for (String text : List.of("{\"number\": \"hunter2\"}", "{\"place\": \"http://exa mple/?t=hunter2\"}")) {
            assertEquals(List.of(" the action refuses it"), faults(binder, text));
        }
    }

    record Texts(
            LocalTime time,
            Duration span,
            URI place,
            UUID id,
            LocalDate day,
            LocalDateTime moment,
            Instant instant,
            OffsetDateTime offset,
            ZonedDateTime zoned) {}

    @Test
    void whatJavaReadsIsBound() throws Exception {
        Texts texts = bound(new Binder<>(Texts.class, Optional.empty()), """
                {"time": "10:00:00", "span": "-PT1.5S", "place": "a/b", "id": "01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d",
                 "day": "2026-02-28", "moment": "2026-02-28T10:00:00", "instant": "2026-02-28T10:00:00Z",
                 "offset": "2026-02-28T10:00:00+01:00", "zoned": "2026-02-28T10:00:00+01:00"}""");
        assertEquals(LocalTime.of(10, 0), texts.time());
        assertEquals(Duration.ofMillis(-1500), texts.span());
        assertEquals(URI.create("a/b"), texts.place());
    }

    enum Loudness {
        @JsonProperty("low")
        LOW
    }

    record Noise(Loudness loudness) {}

    record Alias(@JsonAlias("b") String a) {}

    @Test
    void constantsHaveJacksonsNamesAndNothingElseOfItsIsTaken() throws Exception {
        Binder<Noise> binder = new Binder<>(Noise.class, Optional.empty());
        assertEquals(Loudness.LOW, bound(binder, "{\"loudness\": \"low\"}").loudness());
        assertEquals(1, faults(binder, "{\"loudness\": \"LOW\"}").size());
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new Binder<>(Alias.class, Optional.empty()));
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("Alias.a has Jackson's @JsonAlias"), refused::toString);
    }
}
