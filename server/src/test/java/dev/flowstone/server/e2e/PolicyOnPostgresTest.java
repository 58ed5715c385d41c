package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.PolicyDecision;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy is published over HTTP and decides runs on PostgreSQL; what it decided before stays on record. */
final class PolicyOnPostgresTest {
    private static final String GATE = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "release", "name": "Release", "start": "go",
             "policies": {"may-release": {"bundle": "release"}},
             "states": {
               "go": {"policies": ["may-release"], "transitions": [{"on": "denied", "to": "kept"}], "next": "out"},
               "out": {"end": {}},
               "kept": {"end": {"outcome": "kept"}}}}""";
    private static final String FIRST = """
            {"kind": "rules", "rules": [{"name": "usual", "effect": "allow", "when": "trigger.size < 10"}]}""";
    private static final String SECOND = """
            {"kind": "rules", "rules": [
              {"name": "frozen", "effect": "deny", "when": "trigger.size > 0", "reason": "nothing leaves this week"},
              {"name": "usual", "effect": "allow"}]}""";

    @TempDir
    Path data = Path.of("");

    private static PolicyDecision decided(House house, RunRow run) {
        return house.history(run).events().stream()
                .map(event -> event.body())
                .filter(EventBody.Transitioned.class::isInstance)
                .map(EventBody.Transitioned.class::cast)
                .flatMap(it -> it.conditions().stream())
                .flatMap(it -> it.policy().stream())
                .findFirst()
                .orElseThrow();
    }

    private static boolean reached(House house, RunRow run, String node) {
        return house.history(run).events().stream()
                .anyMatch(event -> event.body() instanceof EventBody.ActivationOpened opened
                        && opened.activation().node().value().equals(node));
    }

    private static RunRow run(House house) throws Exception {
        return house.run("release", "{\"trigger\": {\"size\": 3}}");
    }

    @Test
    void theNewestVersionDecidesAndTheFirstRunsHistoryStillNamesTheFirst() throws Exception {
        try (House house = House.open(data, Map.of(), BuiltInActions.registry())) {
            house.publish(GATE);
            RunRow before = run(house);
            String hash = house.put("/policies/release", FIRST).expect(200).text("hash");
            RunRow allowed = run(house);
            house.put("/policies/release", SECOND).expect(200);
            RunRow denied = run(house);

            assertTrue(reached(house, before, "kept"), "without a policy nothing is allowed");
            assertEquals(0, decided(house, before).version());
            assertTrue(reached(house, allowed, "out"));
            PolicyDecision first = decided(house, allowed);
            assertEquals(new PolicyName("release"), first.bundle());
            assertEquals(1, first.version());
            assertEquals(hash, first.hash().toString());
            assertEquals(Optional.of("usual"), first.rule());
            assertTrue(reached(house, denied, "kept"));
            assertEquals(2, decided(house, denied).version());
            assertEquals("nothing leaves this week", decided(house, denied).reason());
            assertEquals(
                    hash, house.get("/policies/release?version=1").expect(200).text("hash"));
            assertEquals(
                    new JsonString("rules"),
                    ((JsonObject) house.get("/policies/release")
                                    .expect(200)
                                    .object()
                                    .find("bundle")
                                    .orElseThrow())
                            .get("kind"));
            house.get("/policies/release?version=3").expect(404);
            house.get("/policies/other").expect(404);
        }
    }

    /** A bundle of so many bytes in its canonical form. */
    private static String ofBytes(int bytes) {
        String bundle = "{\"description\":\"%s\",\"kind\":\"rules\",\"rules\":[]}";
        return bundle.formatted("x".repeat(bytes - bundle.length() + 2));
    }

    @Test
    void aPolicyHasAtMost64Kibibytes() throws Exception {
        try (House house = House.open(data, Map.of(), BuiltInActions.registry())) {
            House.Answer refused =
                    house.put("/policies/long", ofBytes((64 << 10) + 1)).expect(413);

            assertEquals("LIMIT_EXCEEDED", refused.text("code"));
            house.get("/policies/long").expect(404);
            house.put("/policies/long", ofBytes(64 << 10)).expect(200);
        }
    }

    @Test
    void whatCannotBeEvaluatedIsNotPublished() throws Exception {
        try (House house = House.open(data, Map.of(), BuiltInActions.registry())) {
            for (String bad : new String[] {
                "{\"kind\": \"rego\"}",
                "{\"kind\": \"rules\"}",
                "{\"kind\": \"rules\", \"rules\": [{\"name\": \"a\", \"effect\": \"perhaps\"}]}",
                "{\"kind\": \"rules\", \"rules\": [], \"defualt\": \"deny\"}",
                "{\"kind\": \"rules\", \"rules\": [{\"name\": \"a\", \"effect\": \"deny\"}, "
                        + "{\"name\": \"a\", \"effect\": \"deny\"}]}",
                "{\"kind\": \"rules\", \"rules\": [{\"name\": \"a\", \"effect\": \"allow\", \"when\": \"trigger.x ==\"}]}"
            }) {
                house.put("/policies/release", bad).expect(400);
            }
            house.get("/policies/release").expect(404);
        }
    }
}
