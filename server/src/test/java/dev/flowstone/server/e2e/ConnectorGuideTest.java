package dev.flowstone.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.effect.Receiver;
import dev.flowstone.server.effect.Receiver.Received;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.Flowstone;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connector of docs/connector-guide.md, taken out of the page, compiled, packed, and run over HTTP on PostgreSQL. */
final class ConnectorGuideTest {
    private static final String TOKEN = "acme-hunter2/+token";

    /** What becomes of actions in time. */
    private static final String LEGACY = """
            import dev.flowstone.action.*;
            import java.util.List;
            public final class LegacyConnector implements Connector {
                public record In(String text) {}
                record Say(ActionSpec<In, In> spec) implements Action<In, In> {
                    public ActionResult<In> run(In in, ActionContext context) { return ActionResult.succeeded(in); }
                }
                /** Takes every interrupt, as libraries do. */
                record Wait(ActionSpec<In, In> spec) implements Action<In, In> {
                    public ActionResult<In> run(In in, ActionContext context) {
                        System.setProperty("legacy.waits", "true");
                        while (!context.isCanceled()) {
                            try {
                                Thread.sleep(20);
                            } catch (InterruptedException e) {
                                System.setProperty("legacy.waits", "interrupted");
                            }
                        }
                        return ActionResult.failed("ENDED_EARLY", "in good order");
                    }
                }
                public ConnectorSpec spec() {
                    return ConnectorSpec.of("legacy", "1.0.0", "Legacy", "For a test.").withoutAuth().build();
                }
                public List<Action<?, ?>> actions() {
                    return List.of(
                        new Wait(ActionSpec.of("legacy.wait", In.class, In.class).build()),
                        new Say(ActionSpec.of("legacy.old", In.class, In.class).deprecated("take legacy.new").build()),
                        new Say(ActionSpec.of("legacy.gone", In.class, In.class).disabled().build()));
                }
            }
            """;

    private static final String CALLER = """
            {"id": "caller", "displayName": "Caller", "startNode": "child", "nodes": [
              {"id": "child", "nodeType": "subworkflow", "workflowId": "complaint",
               "parameters": {"subject": "Broken, too", "reference": "ORD-8"}}]}""";

    @TempDir
    static Path folder = Path.of("");

    private static Path plugins = Path.of("");
    private static Receiver acme;
    private static House house;

    @BeforeAll
    static void open() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "connector-guide.md"));
        plugins = Files.createDirectory(folder.resolve("plugins"));
        Path work = folder.resolve("work");
        PluginJar.write(plugins.resolve("acme.jar"), work, "AcmeConnector", block(page, "java"), block(page, "text"));
        PluginJar.write(plugins.resolve("legacy.jar"), work, "LegacyConnector", LEGACY, "LegacyConnector");
        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        Files.writeString(credentials.resolve("acme"), TOKEN + "\n");
        acme = new Receiver();
        Path configs = Files.createDirectory(folder.resolve("configs"));
        Files.writeString(configs.resolve("acme.json"), "{\"url\": \"" + acme.url() + "\"}");
        house = House.open(
                folder.resolve("data"),
                Map.of(
                        "connector.plugins",
                        plugins.toString(),
                        "connector.config",
                        configs.toString(),
                        "connector.credentials",
                        credentials.toString()),
                BuiltInActions.registry());
        house.publish(block(page, "json"));
        house.publish(CALLER);
    }

    @AfterAll
    static void close() {
        house.close();
        acme.close();
    }

    /** The first block of that language. */
    private static String block(String page, String language) {
        Matcher block = Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page);
        assertTrue(block.find(), () -> "no block of '" + language + "'");
        return block.group(1);
    }

    private static Answer ended(String workflow, String body) throws Exception {
        RunId run = house.start(workflow, body);
        house.await(run);
        return house.get("/executions/" + run + "?include=actions,resources,context")
                .expect(200);
    }

    private static String at(Answer answer, String pointer) {
        return JsonPointer.parse(pointer)
                .find(answer.object())
                .map(CanonicalJson::exactText)
                .orElseGet(() -> "nothing at " + pointer + " of " + answer.text());
    }

    private static void acmeAnswers(int status, String body) {
        Receiver _ = acme.answering(_ -> status).saying(_ -> body);
    }

    @Test
    void itMakesATicketOnceForWhomItIsAskedAndTellsNoSecret() throws Exception {
        acmeAnswers(201, "{\"id\": \"T-1\", \"url\": \"https://acme.example/T-1\"}");
        String body = """
                {"principal": {"userId": "U123", "displayName": "Jürgen", "email": "j@example.com"},
                 "trigger": {"subject": "Broken", "reference": "ORD-7"}}""";

        Answer first = ended("complaint", body);

        assertEquals("\"Succeeded\"", at(first, "/status"), first::text);
        assertEquals("{\"id\":\"T-1\",\"isNew\":true}", at(first, "/actions/items/0/outputs"));
        assertEquals("\"acme/ticket\"", at(first, "/resources/items/0/type"));
        assertEquals("\"ORD-7\"", at(first, "/resources/items/0/key"));
        assertEquals(
                "{\"id\":\"T-1\",\"system\":\"acme\",\"type\":\"ticket\",\"url\":\"https://acme.example/T-1\"}",
                at(first, "/resources/items/0/content"));
        Received sent = acme.next();
        assertEquals(
                "{\"priority\":\"URGENT\",\"reference\":\"ORD-7\",\"title\":\"Broken\"}",
                CanonicalJson.exactText(House.value(new String(sent.body(), UTF_8))));
        assertEquals("Bearer " + TOKEN, sent.header("Authorization"));
        assertEquals("U123", sent.header("X-Acting-User-Id"));
        assertEquals("j@example.com", sent.header("X-Acting-User-Email"));
        assertEquals("J%C3%BCrgen", sent.header("X-Acting-User-Name"));
        assertEquals(at(first, "/correlationId"), "\"" + sent.header("X-Correlation-Id") + "\"");
        assertEquals(64, sent.header("Idempotency-Key").length());

        Answer second = ended("complaint", body);

        assertEquals("{\"id\":\"T-1\",\"isNew\":false}", at(second, "/actions/items/0/outputs"));
        assertEquals(0, acme.waiting(), "what is there isn't made again");
    }

    @Test
    void aChildWorksForWhomItsParentWasStarted() throws Exception {
        acmeAnswers(201, "{\"id\": \"T-2\", \"url\": \"https://acme.example/T-2\"}");

        Answer ended = ended("caller", "{\"principal\": {\"userId\": \"U9\", \"email\": \"nine@example.com\"}}");

        assertEquals("\"Succeeded\"", at(ended, "/status"), ended::text);
        Received sent = acme.next();
        assertEquals("U9", sent.header("X-Acting-User-Id"));
        assertEquals("nine@example.com", sent.header("X-Acting-User-Email"));
    }

    @Test
    void whatTheOtherSideRepeatsIsHidden() throws Exception {
        acmeAnswers(422, "you sent Bearer " + TOKEN + ", and that is all we know");

        Answer ended = ended("complaint", "{\"trigger\": {\"subject\": \"Broken\", \"reference\": \"ORD-9\"}}");

        Received _ = acme.next();
        assertEquals("\"ACME_REFUSED\"", at(ended, "/error/code"), ended::text);
        assertTrue(at(ended, "/error/message").contains("you sent Bearer [hidden], and"), ended::text);
        assertFalse(ended.text().contains("hunter2"), ended::text);
    }

    @Test
    void whatTemplatesFillInIsCheckedBeforeAnythingIsSent() throws Exception {
        Answer ended = ended("complaint", "{\"trigger\": {\"subject\": \"Hi\", \"reference\": 7}}");

        assertEquals("\"INVALID_PARAMETERS\"", at(ended, "/error/code"), ended::text);
        String message = at(ended, "/error/message");
        assertTrue(message.contains("/reference: ") && message.contains("/title: "), message);
        assertEquals(0, acme.waiting());
    }

    private static Answer published(String id, String action, String parameters) throws Exception {
        Answer drafted = house.post(
                "/workflows",
                "{\"id\": \"%s\", \"displayName\": \"W\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\", \"actionType\": \"%s\", \"parameters\": %s}]}"
                        .formatted(id, action, parameters));
        return drafted.status() == 201 ? house.post("/workflows/" + id + "/publish", "") : drafted;
    }

    @Test
    void whatIsWrittenIsCheckedWhenItIsPublished() throws Exception {
        Answer refused = published(
                "bad-ticket",
                "acme.create-ticket",
                "{\"titel\": \"x\", \"reference\": \"{{ trigger.r }}\", \"priority\": \"SOON\"}");

        refused.expect(400);
        assertEquals("\"ACTION_PARAMETERS\"", at(refused, "/faults/0/code"), refused::text);
        for (String pointer : new String[] {"titel", "title", "priority"}) {
            assertTrue(refused.text().contains("/nodes/0/parameters/" + pointer + "\""), refused::text);
        }
        assertFalse(refused.text().contains("/nodes/0/parameters/reference"), refused::text);
    }

    @Test
    void aDeprecatedActionWarnsAndADisabledOneIsRefused() throws Exception {
        Answer warned = published("uses-old", "legacy.old", "{\"text\": \"x\"}").expect(200);
        assertEquals("\"ACTION_DEPRECATED\"", at(warned, "/warnings/0/code"));
        assertTrue(at(warned, "/warnings/0/remedy").contains("take legacy.new"), warned::text);
        assertEquals("\"Succeeded\"", at(ended("uses-old", "{}"), "/status"));

        Answer refused =
                published("uses-gone", "legacy.gone", "{\"text\": \"x\"}").expect(400);
        assertEquals("\"ACTION_DISABLED\"", at(refused, "/faults/0/code"), refused::text);
        assertEquals("[\"legacy.gone\"]", at(refused, "/missingActions"));
    }

    @Test
    void anActionWhoseInterruptWasTakenStillLearnsThatItIsCanceled() throws Exception {
        Answer _ = published("waits", "legacy.wait", "{\"text\": \"x\"}").expect(200);
        RunId run = house.start("waits", "{}");
        long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!"true".equals(System.getProperty("legacy.waits")) && System.nanoTime() < patience) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        Answer _ = house.post("/executions/" + run + "/cancel", "");
        house.await(run);
        String ended = house.get("/executions/" + run).expect(200).text();
        assertTrue(ended.contains("Cancel"), ended);
        assertEquals("interrupted", System.clearProperty("legacy.waits"));
    }

    /** As a node does that is started with the plug-ins of two teams. */
    @Test
    void aNodeDoesNotStartWithTwoConnectorsOfOneId() throws Exception {
        Path twice = Files.createDirectory(folder.resolve("twice"));
        Files.copy(plugins.resolve("legacy.jar"), twice.resolve("a.jar"));
        Files.copy(plugins.resolve("legacy.jar"), twice.resolve("b.jar"));
        CannotStartException refused = assertThrows(
                CannotStartException.class,
                () -> Flowstone.definitions(
                        House.config(folder.resolve("unused"), Map.of("connector.plugins", twice.toString()))));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("a.jar") && message.contains("b.jar") && message.contains("'legacy'"), message);

        Path legacy = Files.createDirectory(folder.resolve("legacy"));
        Files.copy(plugins.resolve("legacy.jar"), legacy.resolve("a.jar"));
        CannotStartException taken = assertThrows(
                CannotStartException.class,
                () -> Flowstone.definitions(House.config(
                        folder.resolve("unused"),
                        Map.of("connector.plugins", legacy.toString(), "worker.actions", "legacy.old"))));
        assertTrue(String.valueOf(taken.getMessage()).contains("legacy.old"), taken::getMessage);
    }
}
