package dev.flowstone.kernel.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JsonObjectTest {
    @Test
    void staysAsItWasBuiltWhenTheBuilderGoesOn() {
        JsonObject.Builder builder = JsonObject.builder().put("a", 1);

        JsonObject first = builder.build();
        JsonObject second = builder.put("b", 2).put("a", 3).build();

        assertEquals(JsonObject.of(Map.of("a", JsonNumber.of(1))), first);
        assertEquals(JsonObject.of(Map.of("a", JsonNumber.of(3), "b", JsonNumber.of(2))), second);
    }

    @Test
    void staysAsItWasCopied() {
        Map<String, JsonValue> members = new LinkedHashMap<>(Map.of("a", JsonNull.NULL));

        JsonObject object = JsonObject.of(members);
        members.clear();

        assertEquals(Optional.of(JsonNull.NULL), object.find("a"));
        assertThrows(UnsupportedOperationException.class, () -> object.members().clear());
    }

    @Test
    void isEqualWhateverTheOrder() {
        JsonObject one = JsonObject.builder().put("a", "x").put("b", true).build();
        JsonObject other = JsonObject.builder().put("b", true).put("a", "x").build();

        assertEquals(one, other);
        assertEquals(one.hashCode(), other.hashCode());
    }
}
