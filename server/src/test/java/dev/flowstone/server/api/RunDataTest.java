package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** dataflow.md §8.4 over REST: what is shown of a run's data, and what becomes of data beyond the bound. */
final class RunDataTest {
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture(Map.of("context.overflow", "DropOversize", "engine.inlineBytes", "512"));
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    /** Three nodes, of which {@code big} and {@code bigger} give texts of so many characters. */
    private static String workflow(String id, String settings, int big, int bigger) {
        return "{\"id\":\"" + id + "\",\"displayName\":\"Data\",\"startNode\":\"first\"," + settings + "\"nodes\":["
                + "{\"id\":\"first\",\"actionType\":\"core.echo\",\"parameters\":{\"n\":1},\"edges\":[{\"targetNode\":\"big\"}]},"
                + "{\"id\":\"big\",\"actionType\":\"core.echo\",\"parameters\":{\"t\":\"" + "x".repeat(big)
                + "\"},\"edges\":[{\"targetNode\":\"bigger\"}]},"
                + "{\"id\":\"bigger\",\"actionType\":\"core.echo\",\"parameters\":{\"t\":\"" + "y".repeat(bigger)
                + "\"},\"edges\":[{\"targetNode\":\"last\"}]},"
                + "{\"id\":\"last\",\"actionType\":\"core.echo\",\"parameters\":{\"big\":\"{{ context.omitted.big ?? context.data.big.t }}\"}}]}";
    }

    private static Answer run(String workflow, String definition) throws Exception {
        rest.publish(definition);
        Answer started = rest.post("/api/v1/workflows/" + workflow + "/execute", "{}");
        assertEquals(202, started.status(), started::toString);
        Answer ended = rest.finished(started.text("/executionId"), "?include=context,actions");
        assertEquals("Succeeded", ended.text("/status"), ended::toString);
        return ended;
    }

    private static String at(Answer answer, String pointer) {
        return CanonicalJson.exactText(answer.at(pointer));
    }

    @Test
    void aSummaryHasLengthsAndTypes() throws Exception {
        Answer ended = run("summary", workflow("summary", "", 10, 1_000));

        assertEquals("\"SummaryOnly\"", at(ended, "/contextSnapshot/mode"));
        assertEquals("{\"bytes\":7,\"type\":\"object\"}", at(ended, "/contextSnapshot/data/first"));
        assertEquals("{\"bytes\":1008,\"type\":\"object\"}", at(ended, "/contextSnapshot/data/bigger"));
    }

    @Test
    void aFullSnapshotHasTheValuesWhereverTheyStand() throws Exception {
        Answer ended = run("full", workflow("full", "\"settings\":{\"context\":{\"snapshot\":\"Full\"}},", 10, 1_000));

        assertEquals("{\"n\":1}", at(ended, "/contextSnapshot/data/first"));
        assertEquals("\"" + "y".repeat(1_000) + "\"", at(ended, "/contextSnapshot/data/bigger/t"));
    }

    @Test
    void namedKeysAreShownAndNoOthers() throws Exception {
        Answer ended = run(
                "keys",
                workflow(
                        "keys",
                        "\"settings\":{\"context\":{\"snapshot\":\"KeysOnly\",\"keys\":[\"first\"]}},",
                        10,
                        20));

        assertEquals("{\"first\":{\"n\":1}}", at(ended, "/contextSnapshot/data"));
    }

    /** The server says DropOversize; a definition may say how much, and otherwise. */
    @Test
    void whatDoesNotFitIsLeftOutAsTheServerOrTheDefinitionSays() throws Exception {
        Answer dropped =
                run("dropped", workflow("dropped", "\"settings\":{\"context\":{\"maxBytes\":1000}},", 2_000, 20));
        assertEquals("{\"bytes\":2008,\"omitted\":true}", at(dropped, "/contextSnapshot/data/big"));
        assertEquals("{\"big\":2008}", at(dropped, "/output"));
        assertEquals(
                "\"" + "x".repeat(2_000) + "\"",
                at(dropped, "/actions/items/1/outputs/t"),
                "the attempts keep every output whole");

        Answer pruned = run(
                "pruned",
                workflow(
                        "pruned",
                        "\"settings\":{\"context\":{\"maxBytes\":1000,\"overflow\":\"AutoPruneOldest\"}},",
                        600,
                        700));
        assertEquals("{\"bytes\":608,\"omitted\":true}", at(pruned, "/contextSnapshot/data/big"));
        assertEquals("{\"bytes\":708,\"type\":\"object\"}", at(pruned, "/contextSnapshot/data/bigger"));
        assertTrue(pruned.at("/contextSnapshot/bytes").toString().length() <= 3, pruned::toString);
        Answer events = rest.get("/api/v1/executions/" + pruned.text("/executionId") + "?include=events");
        assertTrue(events.response().body().contains("ContextPruned"), events::toString);
    }

    /** §5.1: nothing takes the way or goes out into the world that was made of what isn't there. */
    @Test
    void whatReadsWhatWasLeftOutFails() throws Exception {
        rest.publish("""
                {"id":"reading","displayName":"Reading","startNode":"check","settings":{"context":{"maxBytes":1000}},"nodes":[
                 {"id":"check","actionType":"core.echo","parameters":{"blocked":true,"t":"LONG"},"edges":[
                   {"targetNode":"deliver","condition":"!context.data.check.blocked"},
                   {"targetNode":"report"}]},
                 {"id":"deliver","actionType":"core.echo"},
                 {"id":"report","actionType":"core.echo","parameters":{"was":"{{ context.data.check }}"}}]}""".replace("LONG", "x".repeat(2_000)));
        Answer started = rest.post("/api/v1/workflows/reading/execute", "{}");
        Answer ended = rest.finished(started.text("/executionId"), "?include=actions,events");

        assertEquals("Failed", ended.text("/status"), ended::toString);
        assertEquals("TEMPLATE_ERROR", ended.text("/error/code"), ended::toString);
        assertTrue(
                ended.text("/error/message").startsWith("The output of 'check' (2023 bytes) was left out"),
                ended::toString);
        assertEquals("deliver", ended.text("/actions/items/1/nodeId"), ended::toString);
        assertEquals("Skipped", ended.text("/actions/items/1/status"), ended::toString);
        assertTrue(at(ended, "/events").contains("\"code\":\"CONTEXT_OMITTED\""), ended::toString);
    }

    /** An action may give what looks like a mark. */
    @Test
    void whatLooksLikeAMarkIsShownAsTheDataThatItIs() throws Exception {
        rest.publish("""
                {"id":"looks","displayName":"Looks","startNode":"a","nodes":[
                 {"id":"a","actionType":"core.echo","parameters":{"$omitted":{"bytes":5}},"edges":[{"targetNode":"b"}]},
                 {"id":"b","actionType":"core.echo","parameters":{"was":"{{ context.data.a['$omitted'].bytes }}"}}]}""");
        Answer started = rest.post("/api/v1/workflows/looks/execute", "{}");
        Answer ended = rest.finished(started.text("/executionId"), "?include=context");

        assertEquals("{\"bytes\":24,\"type\":\"object\"}", at(ended, "/contextSnapshot/data/a"));
        assertEquals("{\"was\":5}", at(ended, "/output"));
    }

    @Test
    void theTriggerStaysAsItWasWhateverIsLeftOut() throws Exception {
        rest.publish("""
                {"id":"asked","displayName":"Asked","startNode":"a",
                 "settings":{"context":{"maxBytes":1000,"overflow":"AutoPruneOldest"}},"nodes":[
                 {"id":"a","actionType":"core.echo","parameters":{"t":"LONG"},"edges":[{"targetNode":"b"}]},
                 {"id":"b","actionType":"core.echo","parameters":{"was":"{{ trigger }}"}}]}""".replace("LONG", "x".repeat(500)));
        String trigger = "{\"text\":\"" + "y".repeat(400) + "\"}";
        Answer started = rest.post("/api/v1/workflows/asked/execute", "{\"trigger\":" + trigger + "}");
        Answer ended = rest.finished(started.text("/executionId"), "?include=context");

        assertEquals("{\"bytes\":508,\"omitted\":true}", at(ended, "/contextSnapshot/data/a"));
        assertEquals("{\"was\":" + trigger + "}", at(ended, "/output"));
    }

    /** Names that the engine makes; those of values are whoever's they are. Events have an envelope of their own. */
    @Test
    void namesOfMembersAreCamelCase() throws Exception {
        Answer ended = run("names", workflow("names", "", 2_000, 20));
        Answer whole = rest.get(
                "/api/v1/executions/" + ended.text("/executionId") + "?include=actions,children,resources,context");

        Set<String> names = new TreeSet<>();
        collect(whole.json(), names);

        assertTrue(names.contains("contextSnapshot") && names.contains("errorNode"), names::toString);
        names.removeIf(name -> name.matches("[$]?[a-z]+([A-Z][a-z0-9]*)*"));
        assertEquals(Set.of(), names);
    }

    private static void collect(JsonValue value, Set<String> names) {
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> {
                    names.add(name);
                    collect(member, names);
                });
            case JsonArray array -> array.items().forEach(item -> collect(item, names));
            default -> {}
        }
    }

    @Test
    void aDefinitionMayFailWhereTheServerWouldDrop() throws Exception {
        rest.publish(workflow(
                "failing", "\"settings\":{\"context\":{\"maxBytes\":1000,\"overflow\":\"Fail\"}},", 2_000, 20));
        Answer started = rest.post("/api/v1/workflows/failing/execute", "{}");
        Answer ended = rest.finished(started.text("/executionId"), "");

        assertEquals("Failed", ended.text("/status"));
        assertEquals("CONTEXT_TOO_LARGE", ended.text("/error/code"), ended::toString);
    }
}
