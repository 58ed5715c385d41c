package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.server.api.RestFixture.Answer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** dataflow.md §3.0, §10.4: drafts are run where that is allowed, and nowhere else. */
final class DraftExecutionTest {
    private static final String WORKFLOWS = "/api/v1/workflows";
    private static RestFixture strict;
    private static RestFixture loose;

    @BeforeAll
    static void serve() throws Exception {
        strict = new RestFixture();
        loose = new RestFixture(Map.of("catalog.allowDraftExecution", "true"));
    }

    @AfterAll
    static void stop() {
        strict.close();
        loose.close();
    }

    private static Answer execute(RestFixture rest, String id, String query, String body) throws Exception {
        return rest.post(WORKFLOWS + "/" + id + "/execute" + query, body);
    }

    @Test
    void aDraftIsRefusedUnlessTheSettingAllowsIt() throws Exception {
        strict.post(WORKFLOWS, Samples.echo("refused"));

        Answer plain = execute(strict, "refused", "", "{}");
        Answer asked = execute(strict, "refused", "?version=draft", "{}");

        assertEquals("NOT_EXECUTABLE", plain.text("/code"));
        assertTrue(plain.text("/detail").contains("publish it"), plain::toString);
        assertEquals("NOT_EXECUTABLE", asked.text("/code"));
        assertTrue(asked.text("/detail").contains("catalog.allowDraftExecution"), asked::toString);
    }

    @Test
    void aWorkflowThatIsOnlyADraftRunsIt() throws Exception {
        loose.post(WORKFLOWS, Samples.echo("only", "first"));
        Answer started = execute(loose, "only", "", "{\"requestId\": \"one\"}");
        assertEquals(202, started.status(), started::toString);
        Answer first = loose.finished(started.text("/executionId"), "?include=actions");
        assertEquals("first", first.text("/output/said"));
        assertEquals("0", first.at("/workflowVersion").toString());

        loose.post(WORKFLOWS, Samples.echo("only", "second"));
        Answer second = loose.finished(execute(loose, "only", "", "{}").text("/executionId"), "");
        assertEquals("second", second.text("/output/said"));
        assertEquals(
                started.text("/executionId"),
                execute(loose, "only", "", "{\"requestId\": \"one\"}").text("/executionId"));
    }

    /** Whether a workflow is enabled matters once it is active (dataflow.md §3.0). */
    @Test
    void isEnabledSaysNothingOfADraft() throws Exception {
        loose.post(WORKFLOWS, Samples.echo("off"));
        loose.rewrite("off", false, Optional.of(Samples.echo("off")));
        assertEquals(JsonBoolean.FALSE, loose.get(WORKFLOWS + "/off").at("/isEnabled"));

        Answer started = execute(loose, "off", "", "{}");

        assertEquals(202, started.status(), started::toString);
        assertEquals(200, loose.post(WORKFLOWS + "/off/publish", "").status());
        assertEquals(JsonBoolean.TRUE, loose.get(WORKFLOWS + "/off").at("/isEnabled"), "publishing turns it on");
    }

    /** The draft has changed since; its run is drawn by the program that it followed. */
    @Test
    void aRunKeepsTheProgramOfItsDraft() throws Exception {
        loose.post(WORKFLOWS, Samples.echo("drawn", "before"));
        String id = execute(loose, "drawn", "", "{}").text("/executionId");
        loose.finished(id, "");
        loose.post(WORKFLOWS, Samples.failing("drawn"));

        assertEquals(
                200,
                loose.get("/api/v1/executions/" + id + "/graph?format=mermaid").status());
        assertEquals("before", loose.finished(id, "?include=actions").text("/output/said"));
    }

    @Test
    void anActiveWorkflowRunsItsVersionUnlessItsDraftIsAskedFor() throws Exception {
        loose.publish(Samples.echo("both", "published"));
        loose.post(WORKFLOWS + "/both/draft", Samples.echo("both", "drafted"));

        Answer version = loose.finished(execute(loose, "both", "", "{}").text("/executionId"), "");
        Answer draft =
                loose.finished(execute(loose, "both", "?version=draft", "{}").text("/executionId"), "");

        assertEquals("published", version.text("/output/said"));
        assertEquals("1", version.at("/workflowVersion").toString());
        assertEquals("drafted", draft.text("/output/said"));
        assertEquals("0", draft.at("/workflowVersion").toString());
    }

    @Test
    void aDraftWithStagedVersionsThatHasRunIsNotDeleted() throws Exception {
        String one = WORKFLOWS + "/ran";
        loose.post(WORKFLOWS, Samples.echo("ran"));
        loose.finished(execute(loose, "ran", "?version=draft", "{}").text("/executionId"), "");
        assertEquals(200, loose.post(one + "/publish?autoActivate=false", "").status());

        Answer refused = loose.delete(one);

        assertEquals(409, refused.status(), refused::toString);
        assertEquals("WORKFLOW_STATE", refused.text("/code"));
        assertTrue(
                refused.text("/detail").contains("POST /api/v1/workflows/ran/publish, then POST"), refused::toString);
        assertEquals(200, loose.post(one + "/publish", "").status());
        assertEquals(200, loose.post(one + "/archive", "").status());
    }

    @Test
    void theDraftsTriggerSchemaIsAsked() throws Exception {
        loose.post(WORKFLOWS, Samples.guarded("asks"));

        assertEquals("WFENG005", execute(loose, "asks", "", "{}").text("/code"));
        assertEquals(
                202,
                execute(loose, "asks", "", "{\"trigger\": {\"amount\": 1}}").status());
    }

    @Test
    void thereMayBeNoDraftToRun() throws Exception {
        loose.publish(Samples.echo("closed"));
        loose.publish(Samples.echo("archived"));
        loose.post(WORKFLOWS + "/archived/archive", "");

        Answer closed = execute(loose, "closed", "?version=draft", "{}");
        assertEquals("NOT_EXECUTABLE", closed.text("/code"));
        assertTrue(closed.text("/detail").contains("/draft"), closed::toString);
        assertEquals(
                "NOT_EXECUTABLE",
                execute(loose, "archived", "?version=draft", "{}").text("/code"));
        assertEquals(
                "INVALID_REQUEST", execute(loose, "closed", "?version=1", "{}").text("/code"));
    }
}
