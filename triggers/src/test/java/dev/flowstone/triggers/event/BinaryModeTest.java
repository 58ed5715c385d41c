package dev.flowstone.triggers.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BinaryModeTest {
    private static final Map<String, String> LEAST =
            Map.of("specversion", "1.0", "id", "1", "source", "/shop", "type", "order.paid");

    private static Map<String, String> with(String name, String value) {
        Map<String, String> headers = new HashMap<>(LEAST);
        headers.put(name, value);
        return headers;
    }

    private static String data(String contentType, String body) throws Exception {
        CloudEvent event = BinaryMode.read(LEAST, Optional.of(contentType), bytes(body));
        String json = CanonicalJson.exactText(event.json());
        return json.replaceAll(".*?(\"data[^c]*\":.*?),\"datacontenttype.*", "$1");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theBodyIsTheDataByItsMediaType() throws Exception {
        assertEquals("\"data\":{\"a\":7615917337495251231}", data("application/json", "{\"a\": 7615917337495251231}"));
        assertEquals("\"data\":[1]", data("application/vnd.x+json; charset=utf-8", "[1]"));
        assertEquals("\"data\":\"<ü>\"", data("text/xml;charset=\"UTF-8\"", "<ü>"));
        assertTrue(data("text/plain; charset=latin1", "a").contains("\"data_base64\":\"YQ==\""));
        assertTrue(data("text/plain", "a\0").contains("\"data_base64\":\"YQA=\""));
        assertTrue(data("application/octet-stream", "a").contains("\"data_base64\":\"YQ==\""));
        assertEquals(
                "{\"id\":\"1\",\"source\":\"/shop\",\"specversion\":\"1.0\",\"type\":\"order.paid\"}",
                CanonicalJson.exactText(
                        BinaryMode.read(LEAST, Optional.empty(), new byte[0]).json()));
        assertThrows(JsonSyntaxException.class, () -> data("application/json", "{\"a\": 1, \"a\": 2}"));
    }

    @Test
    void headersAreDecodedAsTheBindingSays() throws Exception {
        assertEquals(
                Optional.of("Füße 100%"),
                BinaryMode.read(with("subject", "F%C3%BC%C3%9Fe%20100%"), Optional.empty(), new byte[0])
                        .subject());
        assertEquals(
                Optional.of("a \"b"),
                BinaryMode.read(with("subject", "\"a \\\"b\""), Optional.empty(), new byte[0])
                        .subject());
    }

    @Test
    void whatIsNoEventIsRefused() {
        for (String[] bad : new String[][] {
            {"subject", "%C3"}, {"subject", "ü"}, {"subject", "a%00"}, {"time", "now"}, {"specversion", "2"},
            {"datacontenttype", "a/b"}, {"data", "x"}, {"data_base64", "YQ=="}, {"wrong_name", "x"}, {"id", ""}
        }) {
            CloudEventException refused = assertThrows(
                    CloudEventException.class,
                    () -> BinaryMode.read(with(bad[0], bad[1]), Optional.empty(), new byte[0]),
                    bad[0]);
            assertTrue(String.valueOf(refused.getMessage()).contains("ce-" + bad[0]), refused::toString);
            assertEquals("", refused.pointer());
        }
        assertThrows(CloudEventException.class, () -> BinaryMode.read(Map.of(), Optional.empty(), new byte[0]));
        CloudEventException noType =
                assertThrows(CloudEventException.class, () -> BinaryMode.read(LEAST, Optional.of("json"), bytes("1")));
        assertTrue(String.valueOf(noType.getMessage()).endsWith("(header Content-Type)"), noType::toString);
    }
}
