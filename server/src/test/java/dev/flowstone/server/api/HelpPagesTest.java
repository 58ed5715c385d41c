package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages to which problems lead: one for each code, and nothing in them leads to another server. */
final class HelpPagesTest {
    private static final String ROOT = "/api/v1/problems";
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]*)\"");
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static List<String> links(Answer page) {
        return LINK.matcher(page.response().body())
                .results()
                .map(it -> it.group(1))
                .toList();
    }

    private static void assertIsAPageOfItsOwn(Answer page) throws Exception {
        String html = page.response().body();
        assertEquals(200, page.status(), html);
        assertEquals("text/html; charset=utf-8", page.header("Content-Type").orElseThrow());
        assertEquals("nosniff", page.header("X-Content-Type-Options").orElseThrow());
        String policy = page.header("Content-Security-Policy").orElseThrow();
        assertTrue(policy.startsWith("default-src 'none';"), policy);
        assertFalse(policy.contains("script-src"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        assertFalse(html.matches("(?s).*(://|<script|<img|<link|<iframe|src=).*"), html);
    }

    @Test
    void everyRefusalHasAPageThatLeadsBackToTheList() throws Exception {
        for (ProblemCode code : ProblemCode.values()) {
            Answer page = rest.get(ROOT + "/" + code);
            assertIsAPageOfItsOwn(page);
            String html = page.response().body();
            assertTrue(html.contains("<title>" + code + " · Flowstone</title>"), html);
            assertTrue(html.contains("<em>" + code.status() + ", " + code.category() + ".</em>"), html);
            assertTrue(html.contains("<em>What to do</em>: "), html);
            assertEquals(List.of(ROOT), links(page), html);
        }
    }

    @Test
    void theListLeadsToAPageOfEachCode() throws Exception {
        Answer list = rest.get(ROOT);
        List<String> links = links(list);

        assertIsAPageOfItsOwn(list);
        assertTrue(links.contains(ROOT + "/WFENG005"), links::toString);
        assertTrue(links.contains(ROOT + "/HANDLER_THREW"), links::toString);
        assertTrue(links.contains(ROOT + "/HTTP_nnn"), links::toString);
        assertTrue(links.contains(ROOT + "/STATES-NO-WAY-ON"), links::toString);
        assertTrue(links.contains(ROOT + "/LINT-DEADLOCK"), links::toString);
        for (String link : List.copyOf(links)) {
            assertEquals(200, rest.get(link).status(), link);
        }
    }

    @Test
    void aCodeOfTwoGroupsIsExplainedInBoth() throws Exception {
        String html = rest.get(ROOT + "/UNKNOWN_WORKFLOW").response().body();

        assertTrue(html.contains("<h2>What fails in a run</h2>"), html);
        assertTrue(html.contains("<h2>Faults of JSON DAGs</h2>"), html);
    }

    @Test
    void whoHasAPageIsToldSo() throws Exception {
        for (String path : List.of(ROOT, ROOT + "/WFENG001")) {
            String tag = rest.get(path).header("ETag").orElseThrow();
            assertEquals(304, rest.get(path, "If-None-Match", tag).status(), path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NONE", "wfeng005", "WFENG005%00", "HTTP_0", "%3Cscript%3E", "..%2Fworkflows", "errors.md"})
    void anUnknownCodeIsNotFound(String code) throws Exception {
        Answer answer = rest.get(ROOT + "/" + code);
        assertEquals(404, answer.status(), answer::toString);
        assertEquals("NOT_FOUND", answer.text("/code"));
        assertTrue(answer.text("/detail").contains("GET " + ROOT + " lists them"), answer::toString);
    }

    @Test
    void aCodeThatIsNearlyRightIsNamed() throws Exception {
        assertTrue(rest.get(ROOT + "/WFENG05").text("/detail").contains("did you mean 'WFENG005'?"));
    }

    @Test
    void everyProblemLeadsToItsPage() throws Exception {
        for (String path : List.of("/nothing", "/api/v1/workflows/none", "/api/v1/workflows?limit=0")) {
            Answer refused = rest.get(path);
            String help = refused.text("/help");
            assertEquals(ROOT + "/" + refused.text("/code"), help);
            assertEquals("<" + help + ">; rel=\"help\"", refused.header("Link").orElseThrow());
            assertEquals("urn:flowstone:problem:" + refused.text("/code"), refused.text("/type"));
            assertEquals(200, rest.get(help).status(), help);
        }
    }
}
