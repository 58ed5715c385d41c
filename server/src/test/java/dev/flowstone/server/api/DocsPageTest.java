package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page that shows the document: all its parts are there, and nothing in it leads to another server. */
final class DocsPageTest {
    private static final Pattern PART = Pattern.compile("(?:src|href)=\"(docs/[^\"]+)\"");
    private static final String POLICY = "Content-Security-Policy";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    @Test
    void everyPartThatThePageNamesIsServed() throws Exception {
        Answer page = rest.get("/api/v1/docs");
        List<String> parts = PART.matcher(page.response().body())
                .results()
                .map(it -> it.group(1))
                .toList();

        assertEquals(List.of("docs/swagger-ui.css", "docs/swagger-ui-bundle.js", "docs/start.js"), parts);
        for (String part : parts) {
            Answer answer = rest.get("/api/v1/" + part);
            assertEquals(200, answer.status(), part);
            assertTrue(answer.response().body().length() > 100, part);
            assertEquals("nosniff", answer.header("X-Content-Type-Options").orElseThrow());
            assertEquals(
                    304,
                    rest.get(
                                    "/api/v1/" + part,
                                    "If-None-Match",
                                    answer.header("ETag").orElseThrow())
                            .status());
        }
    }

    @Test
    void thePageRunsWhatThisServerServesAndNothingElse() throws Exception {
        Answer page = rest.get("/api/v1/docs");
        String policy = page.header(POLICY).orElseThrow();

        assertTrue(policy.contains("default-src 'none'"), policy);
        assertTrue(policy.contains("script-src 'self';"), policy);
        assertTrue(policy.contains("connect-src 'self'"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        assertFalse(policy.contains("http"), policy);
        assertFalse(page.response().body().contains("://"), "the page names another server");
        assertFalse(page.response().body().matches("(?s).*<script>.*"), "the page has a script in it");
        assertEquals(
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
                rest.get("/api/v1/openapi.json").header(POLICY).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index.html",
                "none.js",
                "..%2findex.html",
                "%2e%2e",
                "..%2f..%2f..%2f..%2fapplication.properties",
                "swagger-ui.js.map",
                "page%2fstart.js"
            })
    void thereAreNoOtherParts(String part) throws Exception {
        assertEquals(404, rest.get("/api/v1/docs/" + part).status(), part);
    }
}
