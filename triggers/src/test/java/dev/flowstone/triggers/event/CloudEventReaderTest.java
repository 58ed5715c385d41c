package dev.flowstone.triggers.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CloudEventReaderTest {
    private static final String LEAST =
            "{\"specversion\": \"1.0\", \"id\": \"1\", \"source\": \"/shop\", \"type\": \"order.paid\"}";

    private static JsonValue json(String text) throws Exception {
        return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String with(String member) {
        return LEAST.replace("}", ", " + member + "}");
    }

    @Test
    void readsWhatASenderSaysWithNumbersExact() throws Exception {
        String whole = with(
                "\"subject\": \"o-7\", \"time\": \"2026-11-30T12:00:00.5+01:00\", \"dataschema\": \"urn:x\","
                        + " \"datacontenttype\": \"application/json; charset=utf-8\", \"traceparent\": \"00-ab\", \"partition\": 7,"
                        + " \"sampled\": true, \"data\": {\"a\": 7615917337495251231, \"b\": 0.1000000000000000055, \"c\": null}");

        CloudEvent event = CloudEventReader.structured(json(whole));

        assertEquals("1", event.id());
        assertEquals("/shop", event.source());
        assertEquals("order.paid", event.type());
        assertEquals(Optional.of("o-7"), event.subject());
        assertEquals(
                CanonicalJson.exactText(json(whole)), CanonicalJson.exactText(event.json()), "nothing is lost of it");
    }

    @Test
    void anAttributeThatIsNullIsLeftOutAndDataThatIsNullIsData() throws Exception {
        assertEquals(
                json(with("\"data\": null")),
                CloudEventReader.structured(json(with("\"subject\": null, \"data\": null")))
                        .json());
    }

    @Test
    void whatIsNoEventIsRefusedWithItsPlace() throws Exception {
        String long2 = "x".repeat(CloudEventReader.LONGEST + 1);
        for (String[] bad : new String[][] {
            {"[]", ""},
            {"7", ""},
            {"{}", ""},
            {LEAST.replace("\"id\": \"1\", ", ""), ""},
            {LEAST.replace("\"1.0\"", "\"0.3\""), "/specversion"},
            {LEAST.replace("\"1.0\"", "1.0"), "/specversion"},
            {LEAST.replace("\"id\": \"1\"", "\"id\": \"\""), "/id"},
            {LEAST.replace("\"id\": \"1\"", "\"id\": 1"), "/id"},
            {LEAST.replace("\"id\": \"1\"", "\"id\": \"a\\u0000\""), "/id"},
            {LEAST.replace("\"id\": \"1\"", "\"id\": \"" + long2 + "\""), "/id"},
            {LEAST.replace("/shop", "a b"), "/source"},
            {LEAST.replace("order.paid", "a\\nb"), "/type"},
            {with("\"subject\": \"\""), "/subject"},
            {with("\"time\": \"yesterday\""), "/time"},
            {with("\"time\": \"2026-11-30T12:00Z\""), "/time"},
            {with("\"dataschema\": \"/relative\""), "/dataschema"},
            {with("\"datacontenttype\": \"json\""), "/datacontenttype"},
            {with("\"Extension\": \"x\""), "/Extension"},
            {with("\"a/b\": \"x\""), "/a~1b"},
            {with("\"extension\": {\"a\": 1}"), "/extension"},
            {with("\"extension\": 1.5"), "/extension"},
            {with("\"extension\": 4294967296"), "/extension"},
            {with("\"data_base64\": \"***\""), "/data_base64"},
            {with("\"data_base64\": \"YQ==\", \"data\": 1"), "/data_base64"}
        }) {
            CloudEventException refused =
                    assertThrows(CloudEventException.class, () -> CloudEventReader.structured(json(bad[0])), bad[0]);
            assertEquals(bad[1], refused.pointer(), bad[0]);
        }
        StringBuilder many = new StringBuilder();
        for (int i = 0; i <= CloudEventReader.ATTRIBUTES; i++) {
            many.append(", \"a").append(i).append("\": 1");
        }
        String wide = LEAST.replace("}", many + "}");
        assertEquals(
                "LIMIT",
                assertThrows(CloudEventException.class, () -> CloudEventReader.structured(json(wide)))
                        .code());
    }

    @Test
    void aBatchIsReadInItsOrderAndItsFaultsHaveTheirPlaces() throws Exception {
        String second = LEAST.replace("\"1\"", "\"2\"");
        assertEquals(
                List.of("1", "2"),
                CloudEventReader.batch(json("[" + LEAST + "," + second + "]")).stream()
                        .map(CloudEvent::id)
                        .toList());
        assertEquals(List.of(), CloudEventReader.batch(json("[]")));
        assertEquals(
                "/1",
                assertThrows(
                                CloudEventException.class,
                                () -> CloudEventReader.batch(json("[" + LEAST + ", [" + LEAST + "]]")))
                        .pointer());
        assertThrows(CloudEventException.class, () -> CloudEventReader.batch(json(LEAST)));
        String many = "[" + (LEAST + ",").repeat(CloudEventReader.EVENTS) + LEAST + "]";
        assertEquals(
                "LIMIT",
                assertThrows(CloudEventException.class, () -> CloudEventReader.batch(json(many)))
                        .code());
    }

    @Test
    void anArrivalIsCalledByIdAndSourceTogetherAndByNothingElse() throws Exception {
        CloudEvent event = CloudEventReader.structured(json(LEAST));
        assertEquals("1@/shop", event.delivery());
        assertEquals(
                event.delivery(),
                CloudEventReader.structured(json(with("\"data\": 7, \"subject\": \"x\"")))
                        .delivery());
        String[] ids = {"a@b", "a", "ü", "x".repeat(500), "x".repeat(501), "sha256:1"};
        String[] sources = {"c", "b@c", "c", "c", "c", "c"};
        for (int i = 0; i < ids.length; i++) {
            for (int k = 0; k < ids.length; k++) {
                String one = delivery(ids[i], sources[i]);
                assertTrue(one.length() <= 128, one);
                assertTrue(CloudEvent.isDelivery(one), one);
                if (i != k) {
                    assertNotEquals(one, delivery(ids[k], sources[k]));
                }
            }
        }
    }

    @Test
    void theEnginesOwnArrivalsAreCalledOtherwise() {
        assertFalse(CloudEvent.isDelivery("01890a5d-ac96-774b-bcce-b302099a8057/7"));
    }

    private static String delivery(String id, String source) throws Exception {
        return CloudEventReader.structured(
                        json(LEAST.replace("\"1\"", "\"" + id + "\"").replace("/shop", source)))
                .delivery();
    }
}
