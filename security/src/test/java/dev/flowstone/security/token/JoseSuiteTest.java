package dev.flowstone.security.token;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.suite.SharedSuites;
import dev.flowstone.testkit.token.Issuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Wycheproof's vectors (Apache-2.0) against what checks signatures, with every algorithm allowed that it knows. What is good by the
 * vectors and refused here is named: secrets are no keys for tokens here, and a key serves the algorithm that it says only.
 */
final class JoseSuiteTest {
    /** By file and reason, what is good and refused here. */
    private static final Map<String, Map<String, List<Integer>>> UNSUPPORTED = Map.of(
            "json_web_key_test.json", Map.of("HMAC", List.of(2, 13, 14, 15)),
            "json_web_signature_test.json",
                    Map.of(
                            "HMAC", List.of(1, 348, 352, 357, 358, 359, 372, 373, 376, 377),
                            "ES512 with a key for ES521", List.of(347, 351),
                            "PS384 with a key for PS256", List.of(346, 350)));

    private final Map<String, List<Integer>> unsupported = new TreeMap<>();
    private final List<String> failed = new ArrayList<>();
    private int ran;
    private int passed;

    @ParameterizedTest
    @ValueSource(strings = {"json_web_signature_test.json", "json_web_key_test.json"})
    void eachVectorIsJudgedAsItSays(String file) throws Exception {
        Optional<Path> suite = SharedSuites.suite("jose");
        Assumptions.assumeTrue(suite.isPresent(), "../shared/suites/jose is not there");
        JsonObject vectors =
                (JsonObject) JsonParser.parse(Files.readAllBytes(suite.get().resolve(file)));
        for (JsonValue group : list(vectors, "testGroups")) {
            for (JsonValue test : list((JsonObject) group, "tests")) {
                judge((JsonObject) group, (JsonObject) test);
            }
        }
        System.out.printf(
                "suite jose/%s: %d ran, %d passed, %d unsupported, %d failed (unsupported: %s)%n",
                file,
                ran,
                passed,
                unsupported.values().stream().mapToInt(List::size).sum(),
                failed.size(),
                unsupported);
        assertEquals(List.of(), failed);
        assertEquals(((JsonNumber) vectors.find("numberOfTests").orElseThrow()).longValue(), ran);
        assertEquals(UNSUPPORTED.get(file), unsupported);
    }

    private void judge(JsonObject group, JsonObject test) throws Exception {
        ran++;
        int id = (int) ((JsonNumber) test.find("tcId").orElseThrow()).longValue();
        JsonObject key = (JsonObject)
                group.find("public").or(() -> group.find("private")).orElseThrow();
        boolean good = text(test, "result").equals("valid");
        boolean accepted = accepts(key, text(test, "jws"));
        if (good == accepted) {
            passed++;
        } else if (good && group.find("public").isEmpty()) {
            unsupported.computeIfAbsent("HMAC", _ -> new ArrayList<>()).add(id);
        } else if (good && !text(key, "alg").isEmpty() && !text(key, "alg").equals(algorithm(test))) {
            unsupported
                    .computeIfAbsent(algorithm(test) + " with a key for " + text(key, "alg"), _ -> new ArrayList<>())
                    .add(id);
        } else {
            failed.add(id + " " + text(group, "comment") + " " + text(test, "comment") + ": " + accepted);
        }
    }

    private static boolean accepts(JsonObject key, String jws) throws Exception {
        JsonValue set = key.find("keys").isPresent()
                ? key
                : JsonObject.builder().put("keys", JsonArray.of(key)).build();
        JwkSource source = JwkSource.of(() -> CanonicalJson.exact(set));
        TokenRules rules =
                Verifiers.rules().algorithms(EnumSet.allOf(Algorithm.class)).build();
        try {
            return new TokenVerifier(rules, source, InstantSource.fixed(Issuer.NOW))
                    .signed(jws)
                    .isPresent();
        } catch (RefusedToken e) {
            return false;
        }
    }

    private static String algorithm(JsonObject test) throws JsonSyntaxException {
        String jws = text(test, "jws");
        byte[] header = Base64.getUrlDecoder().decode(jws.substring(0, jws.indexOf('.')));
        return text((JsonObject) JsonParser.parse(header), "alg");
    }

    private static List<JsonValue> list(JsonObject object, String member) {
        return ((JsonArray) object.find(member).orElseThrow()).items();
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }
}
