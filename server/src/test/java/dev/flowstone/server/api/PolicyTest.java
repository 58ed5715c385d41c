package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Publishing a policy: who it was stays known, and what can't decide anything is refused with its place. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PolicyTest {
    private static final String ROOT = "/api/v1/policies/";
    private static final String OPEN = """
            {"kind": "rules", "rules": [{"name": "usual", "effect": "allow"}]}""";

    private RestFixture rest;

    @BeforeAll
    void open() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    void close() {
        rest.close();
    }

    private Answer put(String name, String bundle, String... headers) throws Exception {
        return rest.call("PUT", ROOT + name, Optional.of(bundle), headers);
    }

    @Test
    void tellsWhoPublishedEachVersionAndWhen() throws Exception {
        Answer first = put("told", OPEN, LoopbackCallers.PRINCIPAL, "user:ann");
        Answer again = put("told", OPEN, LoopbackCallers.PRINCIPAL, "user:bob");
        put("told", OPEN.replace("allow", "deny"), LoopbackCallers.PRINCIPAL, "service:deploy:2");

        assertEquals(200, first.status(), first::toString);
        assertEquals("user:ann", first.text("/publishedBy"));
        assertEquals("user:ann", again.text("/publishedBy"), "an equal bundle is no new version");
        assertEquals("service:deploy:2", rest.get(ROOT + "told").text("/publishedBy"));
        Answer kept = rest.get(ROOT + "told?version=1");
        assertEquals("user:ann", kept.text("/publishedBy"));
        assertEquals(first.text("/publishedAt"), kept.text("/publishedAt"));
    }

    @Test
    void refusesAConditionThatCannotBeReadWithItsRuleAndItsPlace() throws Exception {
        Answer refused = put("unread", """
                {"kind": "rules", "rules": [
                  {"name": "fine", "effect": "deny", "when": "trigger.x > 1"},
                  {"name": "broken", "effect": "allow", "when": "trigger.x ==\\n  == 2"},
                  {"name": "worse", "effect": "allow", "when": "while (true) {}"}]}""");

        assertEquals(400, refused.status(), refused::toString);
        assertEquals("WFENG005", refused.text("/code"));
        assertEquals(2, ((JsonArray) refused.at("/faults")).items().size(), refused::toString);
        assertEquals("POLICY_CONDITION", refused.text("/faults/0/code"));
        assertEquals("/rules/1/when", refused.text("/faults/0/pointer"));
        assertEquals("3", refused.at("/faults/0/line").toString());
        assertTrue(refused.text("/faults/0/message").contains("rule 'broken'"), refused::toString);
        assertTrue(refused.text("/faults/0/message").contains("line 2, column"), refused::toString);
        assertTrue(refused.text("/faults/0/remedy").contains("expressions.md"), refused::toString);
        assertEquals("/rules/2/when", refused.text("/faults/1/pointer"));
        assertEquals(404, rest.get(ROOT + "unread").status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | 400 | WFENG005 | ``",
                "{'kind':'rego'} | 400 | WFENG005 | /kind",
                "{'kind':'rules','rules':7} | 400 | WFENG005 | /rules",
                "{'kind':'rules','rules':[{'name':'a','effect':'maybe'}]} | 400 | WFENG005 | /rules/0/effect",
                "{'kind':'rules' | 400 | MALFORMED_JSON | ``",
            })
    void refusesWithACodeAndAPlace(String bundle, int status, String code, String pointer) throws Exception {
        Answer refused = put("bad", bundle.replace('\'', '"'));

        assertEquals(status, refused.status(), refused::toString);
        assertEquals(code, refused.text("/code"));
        assertEquals(pointer, refused.text("/faults/0/pointer"), refused::toString);
    }

    @Test
    void refusesWhatIsNoPolicyAtAll() throws Exception {
        assertEquals("INVALID_REQUEST", put("bad", "").text("/code"));
        assertEquals("INVALID_REQUEST", put("bad", "[]").text("/code"));
        assertEquals("INVALID_REQUEST", put("x".repeat(201), OPEN).text("/code"));
        assertEquals(
                "BODY_TOO_LARGE",
                put("bad", "{\"x\":\"" + "x".repeat(RestFixture.MAX_BODY) + "\"}")
                        .text("/code"));
        assertEquals("INVALID_REQUEST", rest.get(ROOT + "bad?version=0").text("/code"));
        assertEquals("POLICY_NOT_FOUND", rest.get(ROOT + "bad").text("/code"));
    }

    @Test
    void publishingAWorkflowWarnsOfAPolicyThatIsNotPublished() throws Exception {
        String gate = """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "Gate", "start": "a",
                 "policies": {"may": {"bundle": "gatekeeper"}},
                 "states": {"a": {"policies": ["may"], "transitions": [{"on": "denied", "to": "b"}], "next": "b"},
                            "b": {"end": {}}}}""";
        rest.post("/api/v1/workflows", gate.formatted("before"));
        rest.post("/api/v1/workflows", gate.formatted("after"));

        Answer before = rest.post("/api/v1/workflows/before/publish", "");
        put("gatekeeper", OPEN);
        Answer after = rest.post("/api/v1/workflows/after/publish", "");

        assertEquals("LINT-UNKNOWN-BUNDLE", before.text("/warnings/0/code"), before::toString);
        assertEquals("/policies/may/bundle", before.text("/warnings/0/pointer"));
        assertEquals(0, ((JsonArray) after.at("/warnings")).items().size(), after::toString);
    }
}
