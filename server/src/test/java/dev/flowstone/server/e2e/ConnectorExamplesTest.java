package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.vendors.standin.ConfluenceStandIn;
import dev.flowstone.vendors.standin.Got;
import dev.flowstone.vendors.standin.MondayStandIn;
import dev.flowstone.vendors.standin.SlackStandIn;
import dev.flowstone.vendors.standin.Trouble;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of dataflow.md §15 through the connectors: definitions as they stand in {@code examples/dag}, on PostgreSQL, against stand-ins
 * of Slack, Monday and Confluence.
 */
final class ConnectorExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "dag");
    private static final Logger ROOT = Logger.getLogger("");
    private static final Catching LOG = new Catching();

    @TempDir
    static Path folder = Path.of("");

    private static SlackStandIn slack;
    private static MondayStandIn monday;
    private static ConfluenceStandIn confluence;
    private static House house;

    /** Keeps what is logged, as text. */
    private static final class Catching extends Handler {
        final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private final SimpleFormatter format = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
            lines.add(format.format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeAll
    static void open() throws Exception {
        ROOT.addHandler(LOG);
        slack = new SlackStandIn("xoxb-hunter2");
        monday = new MondayStandIn("monday-hunter2");
        confluence = new ConfluenceStandIn("confluence-hunter2");
        Path configs = Files.createDirectory(folder.resolve("configs"));
        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        for (Map.Entry<String, String> each : Map.of(
                        "slack", slack.url(), "monday", monday.url(), "confluence", confluence.url())
                .entrySet()) {
            String token = each.getKey().equals("slack") ? "xoxb" : each.getKey();
            Files.writeString(configs.resolve(each.getKey() + ".json"), "{\"url\": \"" + each.getValue() + "\"}");
            Files.writeString(credentials.resolve(each.getKey()), token + "-hunter2\n");
        }
        house = House.open(
                folder.resolve("data"),
                Map.of(
                        "connector.config", configs.toString(),
                        "connector.credentials", credentials.toString(),
                        "outbound.allowedNetworks", "127.0.0.1"),
                BuiltInActions.registry());
        house.post(
                        "/templates/sets",
                        "{\"id\": \"project-briefs\", \"displayName\": \"Briefs\", \"team\": \"projects\"}")
                .expect(201);
        template("mobile-app", 1);
        template("mobile-app-brief", 4);
    }

    @AfterAll
    static void close() {
        house.close();
        ROOT.removeHandler(LOG);
        slack.close();
        monday.close();
        confluence.close();
    }

    private static void template(String id, int versions) throws Exception {
        for (int version = 1; version <= versions; version++) {
            house.post("/templates/project-briefs/" + id + "/versions", """
                {"displayName": "Brief %d", "format": "html",
                 "body": "<h1>{{ answers.title }}</h1><p>%d: {{ answers.goal ?? '' }}</p>",
                 "fields": {"fields": [{"key": "title", "label": "Title", "type": "text", "required": true},
                                       {"key": "goal", "label": "Goal", "type": "text"},
                                       {"key": "stakeholders", "label": "Stakeholders", "type": "list"},
                                       {"key": "deadline", "label": "Deadline", "type": "text"},
                                       {"key": "platform", "label": "Platform", "type": "text"}]}}\
                """.formatted(version, version))
                    .expect(201);
        }
    }

    private static String example(String name) throws Exception {
        return Files.readString(EXAMPLES.resolve(name + ".json"));
    }

    private static Answer ended(String workflow, String body) throws Exception {
        RunId run = house.start(workflow, body);
        house.await(run);
        Answer shown = house.get("/executions/" + run + "?include=actions,resources,context,events")
                .expect(200);
        assertFalse(shown.text().contains("hunter2"), shown::text);
        return shown;
    }

    private static Answer succeeded(Answer ended) {
        assertEquals("Succeeded", at(ended, "/status"), ended::text);
        return ended;
    }

    private static String at(Answer answer, String pointer) {
        JsonValue value = JsonPointer.parse(pointer)
                .find(answer.object())
                .orElseThrow(() -> new AssertionError("nothing at " + pointer + " of " + answer.text()));
        return value instanceof JsonString(String text) ? text : CanonicalJson.exactText(value);
    }

    private static String lastMessage() {
        return slack.messages().getLast().path("text").asString();
    }

    @Test
    void itemsOfMondayAreCountedInSlack() throws Exception {
        house.publish(example("spec-15-1"));
        monday.item("Apollo", "In Progress", "");
        monday.item("Gemini", "In Progress", "");
        AtomicBoolean once = new AtomicBoolean(true);
        monday.trouble(_ -> once.getAndSet(false), new Trouble.Status(500));

        Answer run = succeeded(ended("get-monday-status", "{\"trigger\": {\"boardId\": 42, \"channelId\": \"C456\"}}"));

        monday.well();
        long inProgress = monday.items().stream()
                .filter(item -> "In Progress".equals(item.values().get("status_1")))
                .count();
        assertEquals("Found " + inProgress + " items in progress.", lastMessage());
        assertEquals("VENDOR_FAILED", at(run, "/actions/items/0/error/code"), run::text);
        assertEquals("slack/message", at(run, "/resources/items/0/type"));
    }

    @Test
    void anApprovedProjectGetsItsPageAndAnotherOneIsTold() throws Exception {
        house.publish(example("spec-15-2"));
        MondayStandIn.Item approved = monday.item("Mercury", "Approved", "");
        MondayStandIn.Item other = monday.item("Vostok", "New", "");
        String body = "{\"trigger\": {\"boardId\": \"%s\", \"itemId\": %s, \"channelId\": \"C1\"}}";

        Answer made = succeeded(ended("onboard-project", body.formatted("42", approved.id())));
        assertEquals("confluence/page", at(made, "/resources/items/0/type"));
        assertTrue(confluence.pages().stream()
                .anyMatch(page -> page.path("title").asString().equals("Mercury - Project Brief")));

        Answer _ = succeeded(ended("onboard-project", body.formatted("42", other.id())));
        assertEquals("Project 'Vostok' is not approved.", lastMessage());

        Answer _ = succeeded(ended("onboard-project", body.formatted("43", other.id())));
        assertEquals("Onboarding failed at get-item.", lastMessage());
    }

    @Test
    void whatAChildFoundIsToldInSlack() throws Exception {
        String child = example("child-workflow");
        house.publish(child.replace("looked at", "glanced at"));
        house.post("/workflows/child-workflow/draft", child).expect(201);
        house.post("/workflows/child-workflow/publish", "").expect(200);
        house.publish(example("spec-15-4"));

        Answer _ = succeeded(
                ended("parent-workflow", "{\"trigger\": {\"data\": \"the numbers\", \"channelId\": \"C1\"}}"));

        assertEquals("Child workflow completed with: looked at the numbers", lastMessage());
    }

    @Test
    void aRenderedDocumentBecomesAPageOnceThoughItsAnswerGotLost() throws Exception {
        house.publish(example("spec-15-5")
                .replace(
                        "\"actionType\": \"confluence.create-page\",",
                        "\"actionType\": \"confluence.create-page\","
                                + " \"policies\": {\"retry\": {\"maxAttempts\": 3, \"baseDelayMs\": 50}},"));
        AtomicBoolean once = new AtomicBoolean(true);
        confluence.trouble(got -> got.method().equals("POST") && once.getAndSet(false), new Trouble.Lost());

        Answer run = succeeded(ended(
                "create-project-brief-from-trigger",
                "{\"trigger\": {\"spec\": {\"answers\": {\"title\": \"Redesign\"}}}}"));

        confluence.well();
        assertEquals("false", at(run, "/output/isNew"), run::text);
        List<String> bodies = confluence.pages().stream()
                .filter(page -> page.path("title").asString().equals("Redesign - Project Brief"))
                .map(page -> page.path("body").path("storage").path("value").asString())
                .toList();
        assertEquals(List.of("<h1>Redesign</h1><p>4: </p>"), bodies);
    }

    @Test
    void anAttemptThatFailsIsRepeatedWithWhatItHad() throws Exception {
        house.publish(example("spec-15-6"));

        Answer run = succeeded(ended(
                "retry-demo-of-the-specification",
                "{\"trigger\": {\"payload\": \"p\", \"timestamp\": \"2025-11-01T08:00:00Z\"}}"));

        assertEquals("RetriableFailure", at(run, "/actions/items/0/status"));
        assertEquals(at(run, "/actions/items/0/parameters"), at(run, "/actions/items/1/parameters"));
    }

    /** Dataflow.md §15.7, with the headers of §12.5.3 where they are received. */
    @Test
    void fromAFormInSlackToAPageAndBack() throws Exception {
        house.publish(example("spec-15-7"));

        Answer run = succeeded(ended("create-project-brief", """
            {"requestId": "slack-cmd-789",
             "principal": {"userId": "U123", "displayName": "Doug", "email": "doug@example.com"},
             "trigger": {"source": "slack", "channelId": "C456", "userId": "U123"},
             "spec": {"templateSetId": "project-briefs", "templateId": "mobile-app", "templateVersion": 1,
                      "answers": {"title": "Recommendation Engine Redesign",
                                  "goal": "Improve personalization accuracy by 25%",
                                  "stakeholders": ["@doug", "@alice"],
                                  "deadline": "2025-12-01", "platform": "Web + Mobile"}}}
            """));

        String url = at(run, "/resources/items/0/content/url");
        assertEquals("✅ Project brief created: " + url, lastMessage());
        Got page = confluence.got().stream()
                .filter(got -> got.body().contains("Recommendation Engine Redesign - Project Brief"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                "<h1>Recommendation Engine Redesign</h1><p>1: Improve personalization accuracy by 25%</p>",
                page.json().path("body").path("storage").path("value").asString());
        Got message = slack.got().getLast();
        for (Got got : List.of(page, message)) {
            assertEquals("U123", got.header("X-Acting-User-Id"));
            assertEquals("doug@example.com", got.header("X-Acting-User-Email"));
            assertEquals("Doug", got.header("X-Acting-User-Name"));
            assertEquals(at(run, "/correlationId"), got.header("X-Correlation-Id"));
        }
        assertEquals("Bearer confluence-hunter2", page.header("Authorization"));
        assertEquals("Bearer xoxb-hunter2", message.header("Authorization"));
    }

    @Test
    void noCredentialIsToldThoughTheVendorRepeatsIt() throws Exception {
        house.publish("""
            {"id": "echoed", "displayName": "Echoed", "startNode": "read", "nodes": [
              {"id": "read", "actionType": "confluence.get-page", "parameters": {"pageId": 1}}]}\
            """);
        confluence.trouble(_ -> true, new Trouble.Status(422));

        RunId run = house.start("echoed", "{}");
        var row = house.await(run);
        confluence.well();
        Answer failed = house.get("/executions/" + run + "?include=actions,events,context")
                .expect(200);

        assertEquals("VENDOR_REFUSED", at(failed, "/error/code"), failed::text);
        assertTrue(at(failed, "/error/message").contains("[hidden]"), failed::text);
        assertFalse(failed.text().contains("hunter2"), failed::text);
        assertFalse(house.history(row).events().toString().contains("hunter2"));
        assertEquals(
                List.of(),
                LOG.lines.stream().filter(it -> it.contains("hunter2")).toList());
    }
}
