package dev.flowstone.server.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.payload.Payload;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** To tell what kind of value something is, nobody fetches it. */
final class PayloadTypesTest {
    private static final Map<String, String> KINDS = new LinkedHashMap<>(Map.of(
            "{\"a\": 1}", "object",
            "[1]", "array",
            "\"t\"", "string",
            "-7", "number",
            "1e3", "number",
            "true", "boolean",
            "false", "boolean",
            "null", "null"));

    /** Content by hash: only its first bytes can be read. */
    private final Map<Sha256, Byte> stored = new HashMap<>();

    private final RunReader runs = (RunReader) Proxy.newProxyInstance(
            RunReader.class.getClassLoader(), new Class<?>[] {RunReader.class}, (_, method, arguments) -> {
                if (!method.getName().equals("firstBytes")) {
                    throw new AssertionError("nobody reads " + method.getName());
                }
                Map<Sha256, Byte> found = new HashMap<>(stored);
                found.keySet().retainAll((Collection<?>) arguments[1]);
                return found;
            });

    private Optional<String> type(Payload payload) throws Exception {
        return PayloadTypes.of(runs, new TenantId("acme"), List.of(payload)).of(payload);
    }

    private static JsonValue value(String text) throws Exception {
        return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anInlineValueSaysItself() throws Exception {
        for (Map.Entry<String, String> kind : KINDS.entrySet()) {
            assertEquals(Optional.of(kind.getValue()), type(Payload.of(value(kind.getKey()))), kind::getKey);
        }
    }

    @Test
    void ofAStoredOneTheFirstByteSaysIt() throws Exception {
        for (Map.Entry<String, String> kind : KINDS.entrySet()) {
            Carried carried = Carried.of(value(kind.getKey()), 0, 1 << 20);
            StoredPayload content = StoredPayload.of(carried.content().orElseThrow());
            stored.put(content.hash(), content.bytes()[0]);

            assertEquals(Optional.of(kind.getValue()), type(carried.payload()), kind::getKey);
        }
    }

    @Test
    void whatIsNotThereHasNone() throws Exception {
        assertEquals(Optional.empty(), type(new Payload.Stored(Sha256.ZERO, 40_000)));
    }
}
