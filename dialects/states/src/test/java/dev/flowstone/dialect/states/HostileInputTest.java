package dev.flowstone.dialect.states;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, the answer is a program or faults. */
final class HostileInputTest {
    private static final List<JsonValue> STRANGE = List.of(
            JsonNull.NULL,
            JsonBoolean.of(true),
            JsonNumber.of(-1),
            JsonNumber.of(1e30),
            new JsonString(""),
            new JsonString("{{"),
            new JsonString("a"),
            JsonArray.EMPTY,
            JsonArray.of(JsonNull.NULL),
            JsonObject.EMPTY,
            JsonObject.builder().put("a", JsonNull.NULL).build());

    @Test
    void eachTypeInThePlaceOfEachValueIsAnswered() throws Exception {
        int refused = 0;
        for (Path example : Sources.examples()) {
            List<JsonValue> variants = new ArrayList<>();
            replaced(JsonParser.parse(Files.readAllBytes(example)), variants::add);
            for (JsonValue variant : variants) {
                StatesCompilation compilation = compile(CanonicalJson.exact(variant));
                refused += compilation instanceof StatesCompilation.Refused ? 1 : 0;
            }
        }
        assertTrue(refused > 1_000, "only " + refused + " were refused");
    }

    @Test
    void aTextThatIsCutOffIsRefusedWithItsPlace() throws Exception {
        byte[] source = Files.readAllBytes(Sources.examples().getFirst());
        for (int length = 0; length < source.length - 2; length += 7) {
            StatesCompilation compilation = compile(Arrays.copyOf(source, length));
            assertEquals(
                    "STATES-JSON-SYNTAX", compilation.faults().getFirst().code().id());
        }
    }

    @Test
    void flippedBitsAreAnswered() throws Exception {
        long seed = 20_261_128;
        Random random = new Random(seed);
        byte[] source = Files.readAllBytes(Sources.examples().getLast());
        for (int i = 0; i < 500; i++) {
            byte[] flipped = source.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            assertFalse(compile(flipped).faults().size() > StatesOptions.DEFAULT.maxFaults() + 1, "seed " + seed);
        }
    }

    @Test
    void aRuleThatDoublesItselfIsBounded() {
        StringBuilder policies = new StringBuilder("'policies':{'p0':{'rule':{'present':'trigger.x'}}");
        for (int i = 1; i < 40; i++) {
            String before = "{'policy':'p" + (i - 1) + "'}";
            policies.append(",'p" + i + "':{'rule':{'all':[" + before + "," + before + "]}}");
        }
        String source = Sources.workflow(policies + "},", "'a':{'policies':['p39'],'next':'end'}", "'end':{'end':{}}");

        StatesCompilation compilation = compile(Sources.json(source).getBytes(StandardCharsets.UTF_8));

        assertEquals(
                "STATES-CONDITION-INVALID",
                compilation.faults().getFirst().code().id());
    }

    private static StatesCompilation compile(byte[] source) {
        return Sources.DIALECT.compile(source, StatesOptions.DEFAULT, Sources.ACTIONS);
    }

    private static void replaced(JsonValue value, Consumer<JsonValue> to) {
        STRANGE.forEach(to);
        switch (value) {
            case JsonObject object ->
                object.members()
                        .forEach((name, member) -> replaced(member, other -> {
                            Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
                            members.put(name, other);
                            to.accept(JsonObject.of(members));
                        }));
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    int at = i;
                    replaced(array.items().get(i), other -> {
                        List<JsonValue> items = new ArrayList<>(array.items());
                        items.set(at, other);
                        to.accept(new JsonArray(items));
                    });
                }
            }
            default -> {}
        }
    }
}
