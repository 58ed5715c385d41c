package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.server.api.RestFixture.Answer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A definition's whole life over HTTP. */
final class WorkflowLifeTest {
    private static final String ROOT = "/api/v1/workflows";
    private static final String TOLD = """
            {"id": "told", "displayName": "Told", "description": "what it is for", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "parameters": {"n": 1.50, "b": ["\u00fc", 1e3]}}]}""";
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
    void fromDraftToArchiveAndBack() throws Exception {
        String one = ROOT + "/life";
        Answer created = rest.post(ROOT, Samples.echo("life", "one"));
        assertEquals(201, created.status(), created::toString);
        assertEquals("Draft", created.text("/status"));
        assertEquals(one, created.header("Location").orElseThrow());
        assertEquals(200, rest.post(ROOT, Samples.echo("life", "two")).status());
        assertEquals(409, rest.post(one + "/execute", "{}").status());

        Answer published = rest.post(one + "/publish", "");
        assertEquals(
                "{\"created\":true,\"status\":\"Active\",\"version\":1,\"warnings\":[],\"workflowId\":\"life\"}",
                published.response().body());

        Answer edited = rest.post(ROOT, Samples.echo("life", "three"));
        assertEquals(400, edited.status());
        assertEquals("IMMUTABLE", edited.text("/code"));
        assertTrue(edited.text("/detail").contains("POST /api/v1/workflows/life/draft"), edited::toString);

        assertEquals(201, rest.post(one + "/draft", "").status());
        assertEquals(200, rest.post(one + "/draft", "").status());
        assertEquals(200, rest.post(ROOT, Samples.echo("life", "three")).status());
        assertEquals("two", rest.get(one).text("/definition/nodes/0/parameters/said"));
        assertEquals("three", rest.get(one + "?version=draft").text("/definition/nodes/0/parameters/said"));
        assertEquals("2", rest.post(one + "/publish", "").at("/version").toString());
        assertEquals("two", rest.get(one + "?version=1").text("/definition/nodes/0/parameters/said"));
        assertEquals(404, rest.get(one + "?version=3").status());

        assertEquals("Archived", rest.post(one + "/archive", "").text("/status"));
        assertEquals(409, rest.post(one + "/execute", "{}").status());
        assertEquals(409, rest.delete(one).status());
        assertEquals("Active", rest.post(one + "/reactivate", "").text("/status"));
        assertEquals(202, rest.post(one + "/execute", "{}").status());
    }

    @Test
    void allThatIsKnownOfAWorkflowIsTold() throws Exception {
        String one = ROOT + "/told";
        Answer draft = rest.post(ROOT, TOLD);
        assertEquals("told", draft.text("/id"), draft::toString);
        assertEquals("Told", draft.text("/displayName"));
        assertEquals("what it is for", draft.text("/description"));
        assertEquals("Draft", draft.text("/status"));
        assertEquals(JsonBoolean.TRUE, draft.at("/isEnabled"), "unless it is set otherwise");
        assertEquals(JsonNull.NULL, draft.at("/currentVersion"));
        Instant created = Instant.parse(draft.text("/createdAt"));

        assertEquals(200, rest.post(one + "/publish", "").status());
        Answer active = rest.get(one);
        assertEquals("Active", active.text("/status"));
        assertEquals(JsonBoolean.TRUE, active.at("/isEnabled"));
        assertEquals("1", active.at("/currentVersion").toString());
        assertEquals(created, Instant.parse(active.text("/createdAt")));
        assertFalse(Instant.parse(active.text("/updatedAt")).isBefore(created));
        assertFalse(Instant.parse(active.text("/publishedAt")).isBefore(created));

        rest.post(one + "/archive", "");
        assertEquals(JsonBoolean.FALSE, rest.get(one).at("/isEnabled"));
    }

    @Test
    void aChecksumIsTheSha256OfTheDefinitionInItsCanonicalForm() throws Exception {
        rest.publish(TOLD.replace("\"told\"", "\"summed\""));

        Answer read = rest.get(ROOT + "/summed");

        byte[] canonical = CanonicalJson.exact(read.at("/definition"));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical);
        assertEquals(HexFormat.of().formatHex(digest), read.text("/checksum"));
    }

    /** A definition was checked when it was saved, by a release and a catalog that may be others by now. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            form      | "startNode": "a"    | "startNode": 7                | WRONG_TYPE
            reference | "startNode": "a"    | "startNode": "b"              | UNKNOWN_NODE
            action    | core.echo           | acme.gone                     | UNKNOWN_ACTION
            """)
    void publishingChecksWhatWasSavedBefore(String what, String good, String bad, String fault) throws Exception {
        String id = "stale-" + what;
        String definition = TOLD.replace("\"told\"", "\"" + id + "\"");
        assertEquals(201, rest.post(ROOT, definition).status());
        rest.rewrite(id, true, Optional.of(definition.replace(good, bad)));

        Answer refused = rest.post(ROOT + "/" + id + "/publish", "");

        assertEquals(400, refused.status(), refused::toString);
        assertEquals("WFENG005", refused.text("/code"));
        assertEquals(fault, refused.text("/faults/0/code"));
        assertEquals(JsonNull.NULL, rest.get(ROOT + "/" + id).at("/latestVersion"), "no version came of it");
    }

    @Test
    void aVersionIsStagedWithoutActivation() throws Exception {
        rest.post(ROOT, Samples.echo("staged"));

        Answer staged = rest.post(ROOT + "/staged/publish?autoActivate=false", "");

        assertEquals("Draft", staged.text("/status"));
        assertEquals(JsonNull.NULL, rest.get(ROOT + "/staged").at("/currentVersion"));
    }

    @Test
    void draftsAreDiscardedAndDeleted() throws Exception {
        rest.post(ROOT, Samples.echo("scrap"));
        assertEquals(204, rest.delete(ROOT + "/scrap").status());
        assertEquals(404, rest.get(ROOT + "/scrap").status());

        rest.publish(Samples.echo("kept"));
        rest.post(ROOT + "/kept/draft", Samples.echo("kept", "next"));
        assertEquals(200, rest.delete(ROOT + "/kept/draft").status());
        assertEquals(404, rest.get(ROOT + "/kept?version=draft").status());
    }

    @Test
    void aChangeMayDemandARevision() throws Exception {
        String etag = rest.post(ROOT, Samples.echo("careful")).header("ETag").orElseThrow();

        assertEquals(
                200,
                rest.post(ROOT, Samples.echo("careful", "2"), "If-Match", etag).status());
        Answer stale = rest.post(ROOT, Samples.echo("careful", "3"), "If-Match", etag);

        assertEquals(412, stale.status());
        assertEquals("conflict", stale.text("/category"));
        String now = rest.get(ROOT + "/careful").header("ETag").orElseThrow();
        assertEquals(304, rest.get(ROOT + "/careful", "If-None-Match", now).status());
    }

    @Test
    void listsGoOnByTheirCursor() throws Exception {
        for (int i = 0; i < 5; i++) {
            rest.post(ROOT, Samples.echo("listed-" + i));
        }

        Answer first = rest.get(ROOT + "?search=LISTED-&limit=2");
        Answer second = rest.get(ROOT + "?search=LISTED-&limit=2&after=" + first.text("/next"));
        Answer third = rest.get(ROOT + "?search=LISTED-&limit=2&after=" + second.text("/next"));

        assertEquals("listed-0", first.text("/items/0/id"));
        assertEquals("listed-2", second.text("/items/0/id"));
        assertEquals("listed-4", third.text("/items/0/id"));
        assertEquals(1, ((JsonArray) third.at("/items")).items().size());
        assertEquals(JsonNull.NULL, third.at("/next"));
        assertEquals(
                0,
                ((JsonArray) rest.get(ROOT + "?search=listed-&status=Active").at("/items"))
                        .items()
                        .size());
    }

    @Test
    void tenantsSeeTheirOwn() throws Exception {
        rest.post(ROOT, Samples.echo("mine"), "Flowstone-Tenant", "acme");

        assertEquals(200, rest.get(ROOT + "/mine", "Flowstone-Tenant", "acme").status());
        assertEquals(404, rest.get(ROOT + "/mine").status());
        assertEquals(
                404,
                rest.post(ROOT + "/mine/publish", "", "Flowstone-Tenant", "other")
                        .status());
    }

    @Test
    void publishingWarnsOfACircleThroughWorkflowsThatArePublished() throws Exception {
        String calling = """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "W", "start": "a",
                 "subworkflows": {"k": {"workflow": "%s"}},
                 "states": {"a": {"call": {"subworkflow": "k"}, "next": "b"}, "b": {"end": {}}}}
                """;
        rest.publish(calling.formatted("ring-one", "ring-two"));
        assertEquals(
                201,
                rest.post("/api/v1/workflows", calling.formatted("ring-two", "ring-one"))
                        .status());

        Answer published = rest.post("/api/v1/workflows/ring-two/publish", "");

        assertEquals(200, published.status(), published::toString);
        assertEquals("LINT-CHILD-CYCLE", published.text("/warnings/0/code"), published::toString);
        assertEquals("/subworkflows/k/workflow", published.text("/warnings/0/pointer"));
        assertTrue(published.text("/warnings/0/message").contains("ring-two → ring-one → ring-two"));
    }
}
