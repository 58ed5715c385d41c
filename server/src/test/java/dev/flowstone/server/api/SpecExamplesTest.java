package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateFormat;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The seven examples of dataflow.md §15, published and run over REST; stubs stand where connectors are named. */
final class SpecExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "dag");

    /** Has one template under every name. */
    private static final Templates BRIEFS = Instead.of(
            Templates.class,
            Templates.none(),
            (method, arguments) -> method.equals("find")
                    ? Optional.of(Optional.of(brief((TemplateName) arguments[1], (OptionalInt) arguments[2])))
                    : Optional.empty());

    private static RestFixture rest;

    private static TemplateVersion brief(TemplateName name, OptionalInt version) {
        TemplateDraft draft = new TemplateDraft(
                "Brief", TemplateFormat.HTML, JsonObject.EMPTY, "<h1>{{ answers.title }}</h1>", Optional.empty());
        TemplateSet.Mark mark = new TemplateSet.Mark(Instant.EPOCH, Actor.parse("user:ada"));
        return new TemplateVersion(name, false, version.orElse(1), draft, Optional.empty(), true, mark);
    }

    @BeforeAll
    static void serve() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(stub("stub.monday.get-items"), call -> {
                    if (text(call.input(), "/boardId").equals("gone")) {
                        return TaskResult.permanent("NO_BOARD", "there is no such board");
                    }
                    return TaskResult.ok(json("{\"items\":[{\"Name\":\"Apollo\",\"Status\":\""
                            + text(call.input(), "/boardId") + "\"},{\"Name\":\"Gemini\"}]}"));
                })
                .action(stub("stub.slack.post-message"), echo())
                .action(
                        stub("stub.confluence.create-page"),
                        call -> TaskResult.ok(JsonObject.builder()
                                .put("title", text(call.input(), "/title"))
                                .put(
                                        "body",
                                        JsonPointer.parse("/body")
                                                .find(call.input())
                                                .orElse(new JsonString("")))
                                .put("url", "https://wiki.example.com/123456")
                                .build()))
                .build();
        rest = RestFixture.with(handlers, BRIEFS);
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static ActionDescription stub(String name) {
        return new ActionDescription(new HandlerName(name), "Stands in for a connector.", List.of());
    }

    private static TaskHandler echo() {
        return call -> TaskResult.ok(call.input());
    }

    private static JsonValue json(String text) {
        try {
            return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static String text(JsonValue value, String pointer) {
        return ((JsonString) JsonPointer.parse(pointer).find(value).orElseThrow()).value();
    }

    private static void publish(String example) throws Exception {
        rest.publish(Files.readString(EXAMPLES.resolve(example + ".json"))
                .replaceAll("\"actionType\": \"(monday|slack|confluence)\\.", "\"actionType\": \"stub.$1."));
    }

    private static Answer run(String workflow, String body) throws Exception {
        Answer started = rest.post("/api/v1/workflows/" + workflow + "/execute", body);
        assertEquals(202, started.status(), started::toString);
        return rest.finished(started.text("/executionId"), "?include=actions");
    }

    private static Answer succeeded(Answer run) {
        assertEquals("Succeeded", run.text("/status"), run::toString);
        return run;
    }

    @Test
    void simpleLinearWorkflow() throws Exception {
        publish("spec-15-1");

        Answer run = succeeded(run("get-monday-status", "{\"trigger\":{\"boardId\":\"b\",\"channelId\":\"C1\"}}"));

        assertEquals("Found 2 items in progress.", run.text("/output/message"));
        assertEquals("C1", run.text("/output/channelId"));
        assertEquals("Status", run.text("/actions/items/0/parameters/filter/rules/0/column"));
    }

    @Test
    void branchingWithConditions() throws Exception {
        publish("spec-15-2");
        String body = "{\"trigger\":{\"boardId\":\"%s\",\"itemId\":\"i\",\"channelId\":\"C1\"}}";

        Answer approved = succeeded(run("onboard-project", body.formatted("Approved")));
        assertEquals("Apollo - Project Brief", approved.text("/output/title"));
        Answer other = succeeded(run("onboard-project", body.formatted("New")));
        assertEquals("Project 'Apollo' is not approved.", other.text("/output/message"));
        Answer failed = succeeded(run("onboard-project", body.formatted("gone")));
        assertEquals("Onboarding failed at get-item.", failed.text("/output/message"));
    }

    @Test
    void fanOutFanIn() throws Exception {
        publish("spec-15-3");

        Answer run = succeeded(run("fanout-fanin-of-the-specification", "{}"));

        assertEquals("Join", run.text("/output/msg"));
        assertEquals(
                List.of("A Succeeded", "B Succeeded", "C Skipped", "D Succeeded"),
                ((JsonArray) run.at("/actions/items"))
                        .items().stream()
                                .map(item -> text(item, "/nodeId") + " " + text(item, "/status"))
                                .sorted()
                                .toList());
    }

    @Test
    void subworkflow() throws Exception {
        String child = Files.readString(EXAMPLES.resolve("child-workflow.json"));
        rest.publish(child.replace("looked at", "glanced at"));
        publish("spec-15-4");
        String body = "{\"trigger\":{\"data\":\"the numbers\",\"channelId\":\"C1\"}}";
        Answer early = run("parent-workflow", body);
        assertEquals("UNKNOWN_WORKFLOW", early.text("/error/code"), "there is no version 2 yet");

        String workflow = "/api/v1/workflows/child-workflow";
        assertEquals(201, rest.post(workflow + "/draft", child).status());
        assertEquals("2", rest.post(workflow + "/publish", "").at("/version").toString());
        assertEquals(
                201,
                rest.post(workflow + "/draft", child.replace("looked at", "stared at"))
                        .status());
        assertEquals("3", rest.post(workflow + "/publish", "").at("/version").toString());

        Answer run = succeeded(run("parent-workflow", body));

        assertEquals("Child workflow completed with: looked at the numbers", run.text("/output/message"));
        assertEquals("subworkflow", run.text("/actions/items/0/actionType"));
        assertEquals("looked at the numbers", run.text("/actions/items/0/outputs/result"));
        Answer called = rest.get("/api/v1/executions/" + run.text("/actions/items/0/childExecutionId"));
        assertEquals("2", called.at("/workflowVersion").toString());
    }

    @Test
    void templateDrivenDocumentCreation() throws Exception {
        publish("spec-15-5");

        Answer run = succeeded(run(
                "create-project-brief-from-trigger",
                "{\"trigger\":{\"spec\":{\"answers\":{\"title\":\"Redesign\"}}}}"));

        assertEquals("Redesign - Project Brief", run.text("/output/title"));
        assertEquals("<h1>Redesign</h1>", run.text("/output/body"));
        assertEquals("4", run.at("/actions/items/0/parameters/version").toString());
    }

    @Test
    void retryWithDeterministicParameters() throws Exception {
        publish("spec-15-6");

        Answer run = succeeded(run(
                "retry-demo-of-the-specification",
                "{\"trigger\":{\"payload\":\"p\",\"timestamp\":\"2025-11-01T08:00:00Z\"}}"));

        assertEquals("RetriableFailure", run.text("/actions/items/0/status"));
        assertEquals("Succeeded", run.text("/actions/items/1/status"));
        assertEquals(run.at("/actions/items/0/parameters"), run.at("/actions/items/1/parameters"));
        assertEquals("1", run.at("/actions/items/1/retryCount").toString());
    }

    @Test
    void fromSlackToConfluenceAndBack() throws Exception {
        publish("spec-15-7");

        Answer run = succeeded(run("create-project-brief", """
            {"requestId": "slack-cmd-789",
             "principal": {"userId": "U123", "displayName": "Doug", "email": "doug@example.com"},
             "trigger": {"source": "slack", "channelId": "C456", "userId": "U123"},
             "spec": {"templateSetId": "project-briefs", "templateId": "mobile-app", "templateVersion": 1,
                      "answers": {"title": "Recommendation Engine Redesign", "stakeholders": ["@doug", "@alice"]}}}
            """));

        assertEquals("✅ Project brief created: https://wiki.example.com/123456", run.text("/output/message"));
        assertEquals("C456", run.text("/output/channelId"));
        assertEquals("1", run.at("/actions/items/0/parameters/version").toString(), "a number, not a text");
        assertEquals("@alice", run.text("/actions/items/0/parameters/answers/stakeholders/1"));
        assertEquals("U123", run.text("/principal/userId"));
    }
}
