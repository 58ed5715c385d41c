package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** What good calls need before they can be made, in a tenant of their own. */
record Stage(RestFixture rest, String tenant) {
    /** Of places where nobody listens. One that has failed five times in a row is only probed, so each has few messages. */
    private static final int SHOPS = 24;

    static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";

    private static final AtomicInteger TOLD = new AtomicInteger();

    /** One attempt is all that a message has, and a subscription that can't deliver is given up soon. */
    static final Map<String, String> FLAGS = flags();

    private static Map<String, String> flags() {
        Map<String, String> flags = new HashMap<>(
                Map.of("outbox.attempts", "1", "events.brokenAfter", "1s", "worker.actions", "remote.work"));
        for (int i = 0; i < SHOPS; i++) {
            flags.put("webhook.shop" + i + ".url", "http://127.0.0.1:1/hook");
            flags.put("webhook.shop" + i + ".secret", SECRET);
        }
        return Map.copyOf(flags);
    }

    private static final String EXECUTIONS = "/api/v1/executions/";
    private static final Program WAITS = ProgramText.program("""
            id: order
            flow:
              a: {task: core.echo, compensate: core.echo, to: wait}
              wait: {timer: 2h, to: done}
              done: {end: success}
            """);
    private static final Program NEXT = ProgramText.program("""
            id: order
            flow:
              a: {task: core.echo, compensate: core.echo, to: pause}
              pause: {timer: 2h, to: done}
              done: {end: success}
            """);
    private static final Program ATTESTED = ProgramText.program("""
            id: attested
            flow:
              a: {task: core.echo, compensate: {attest: call them}, to: wait}
              wait: {timer: 2h, to: done}
              done: {end: success}
            """);
    private static final Program FAILS = ProgramText.program("""
            id: failing
            flow:
              work: {task: core.sometimes-fails, input: {failures: 1}, to: done}
              done: {end: success}
            onFailure: park
            """);

    /**
     * A call, made as user anna.
     *
     * @param headers of its own, by name and value
     */
    record Request(String method, String target, Optional<String> body, List<String> headers) {
        Request {
            headers = List.copyOf(headers);
        }

        Request(String method, String target, Optional<String> body) {
            this(method, target, body, List.of());
        }

        Answer sent(RestFixture rest, String tenant, String... more) throws Exception {
            List<String> all =
                    new ArrayList<>(List.of(LoopbackCallers.TENANT, tenant, LoopbackCallers.PRINCIPAL, "user:anna"));
            all.addAll(headers);
            all.addAll(List.of(more));
            return rest.call(method, target, body, all.toArray(String[]::new));
        }
    }

    static Request get(String target) {
        return new Request("GET", target, Optional.empty());
    }

    /** @param body with apostrophes for quotes */
    static Request send(String method, String target, String body) {
        return new Request(method, target, Optional.of(body.replace('\'', '"')));
    }

    static Request post(String target, String body) {
        return send("POST", target, body);
    }

    static Request delete(String target) {
        return new Request("DELETE", target, Optional.empty());
    }

    static Request ask(String run, String verb, String body) {
        return post(EXECUTIONS + run + "/" + verb, body);
    }

    static Request view(String run, String what) {
        return get(EXECUTIONS + run + what);
    }

    /** Makes a call that is only a step towards another one. */
    Answer done(Request request) throws Exception {
        Answer answer = request.sent(rest, tenant);
        assertTrue(answer.status() < 300, () -> request + ": " + answer);
        return answer;
    }

    void until(Request request, String told) throws Exception {
        rest.until(request.target(), answer -> answer.response().body().contains(told), LoopbackCallers.TENANT, tenant);
    }

    void draft(String id) throws Exception {
        done(post("/api/v1/workflows", Samples.echo(id)));
    }

    void active(String id) throws Exception {
        draft(id);
        done(post("/api/v1/workflows/" + id + "/publish", ""));
    }

    /** An execution that waits for a timer, behind something that can be undone. */
    String waiting() throws Exception {
        String run = rest.start(WAITS, tenant);
        until(view(run, "/timers"), "wait#1");
        return run;
    }

    /** The same, of whose workflow there is another version now. */
    String outdated() throws Exception {
        String run = waiting();
        Published.next(
                rest.ports().workflows(),
                new TenantId(tenant),
                NEXT,
                rest.ports().clock().now());
        return run;
    }

    String over() throws Exception {
        String run = waiting();
        done(ask(run, "terminate", "{'reason':'x'}"));
        return run;
    }

    /** An execution that asks anna. */
    String asked() throws Exception {
        String run = rest.start(HumanPrograms.review("review", new Quorum.One(), "user:anna"), tenant);
        until(view(run, "/tasks"), "review#1");
        return run;
    }

    String claimed() throws Exception {
        String run = asked();
        done(ask(run, "tasks/review%231/claim", ""));
        return run;
    }

    /** A call about an execution's incident. */
    Request incident(String verb, String body) throws Exception {
        String run = rest.start(FAILS, tenant);
        until(view(run, "/incidents"), "work#1");
        Answer list = done(view(run, "/incidents"));
        return ask(run, "incidents/" + list.at("/items/0/incident") + "/" + verb, body);
    }

    /** A call about something that somebody has to say of an execution. */
    Request attestation(String body) throws Exception {
        String run = rest.start(ATTESTED, tenant);
        until(view(run, "/timers"), "wait#1");
        done(ask(run, "cancel", ""));
        until(view(run, "/attestations"), "a#-1");
        return ask(run, "attestations/a%23-1", body);
    }

    /** An execution whose work a worker has, and under which lease. */
    record Held(String run, String lease) {
        String named() {
            return "'executionId':'" + run + "','activation':'a#1','attempt':1,'lease':'" + lease + "'";
        }
    }

    static Request claim(int waitSeconds) {
        return post(
                "/api/v1/tasks/claim", "{'worker':'w','actions':['remote.work'],'waitSeconds':" + waitSeconds + "}");
    }

    void work() throws Exception {
        done(post("/api/v1/workflows", """
                {"id": "work", "displayName": "W", "startNode": "a",
                 "nodes": [{"id": "a", "actionType": "remote.work", "parameters": {"n": 1}}]}"""));
        done(post("/api/v1/workflows/work/publish", ""));
        done(post("/api/v1/workflows/work/execute", ""));
    }

    Held held() throws Exception {
        work();
        Answer claimed = done(claim(20));
        return new Held(claimed.text("/tasks/0/executionId"), claimed.text("/tasks/0/lease"));
    }

    static final String LINKED = "'attempt':1,'links':[{'type':'order','key':'7'}]";

    /** A call that finds what a worker has linked, which travels to where it is looked for. */
    Request linked() throws Exception {
        String run = held().run();
        done(ask(run, "tasks/a%231/links", "{" + LINKED + "}"));
        Request find = get("/api/v1/links?type=order&key=7");
        until(find, run);
        return find;
    }

    /** A message that nobody takes. */
    String deadMessage() throws Exception {
        done(post("/api/v1/workflows", """
                {"id": "tell", "displayName": "Tell", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.webhook",
                   "parameters": {"endpoint": "shop%d", "type": "com.example.paid", "data": {"n": 1}}}]}""".formatted(TOLD.incrementAndGet() % SHOPS)));
        done(post("/api/v1/workflows/tell/publish", ""));
        done(post("/api/v1/workflows/tell/execute", ""));
        until(get("/api/v1/outbox?state=dead"), "EXHAUSTED");
        return done(get("/api/v1/outbox?state=dead")).text("/items/0/message");
    }

    /** What could not be taken up, and is not tried again. */
    String deadLetter() throws Exception {
        PoisonMessage poison = new PoisonMessage(
                new TenantId(tenant),
                new DeadSource("matrix"),
                "one",
                new Slot(7),
                Optional.empty(),
                DeadReason.POISON,
                JsonObject.EMPTY,
                "no");
        rest.ports().deadLetters().failed(poison, new DeadLetterConfig(true, "q", 0, Duration.ofHours(1)));
        return done(get("/api/v1/dead-letters")).text("/items/0/id");
    }

    /** A call that makes a webhook of an active workflow. */
    Request trigger() throws Exception {
        active("echo");
        return post(
                "/api/v1/triggers",
                "{'workflowId':'echo','triggerType':'Webhook','isEnabled':true,'activationCondition':'trigger.n > 0',"
                        + "'config':{'secrets':['" + SECRET + "'],'toleranceSeconds':60}}");
    }

    /** A call that makes an event trigger of an active workflow. */
    Request listener() throws Exception {
        active("echo");
        return post(
                "/api/v1/triggers",
                "{'workflowId':'echo','triggerType':'Event','config':{'source':'external','types':['shop.order.*']}}");
    }

    /** Where a webhook is. */
    String webhook() throws Exception {
        return "/api/v1/triggers/" + done(trigger()).text("/id");
    }

    /** Where a schedule is, that fires in years. */
    String schedule() throws Exception {
        active("echo");
        Request made = post(
                "/api/v1/triggers",
                "{'workflowId':'echo','triggerType':'Schedule','config':{'cron':'0 9 29 2 MON','timeZone':'Europe/Berlin',"
                        + "'missedFirePolicy':'fireAll','maxMissed':5}}");
        return "/api/v1/triggers/" + done(made).text("/id");
    }

    static final Request TEMPLATE_SET =
            post("/api/v1/templates/sets", "{'id':'briefs','displayName':'Briefs','team':'docs','shared':false}");

    static final Request TEMPLATE = post(
            "/api/v1/templates/briefs/app/versions",
            "{'displayName':'App','format':'html','body':'<h1>{{ answers.title }}</h1>','help':'Short.',"
                    + "'fields':{'fields':[{'key':'title','type':'text','required':true}]}}");

    /** Where a set of document templates is. */
    String templateSet() throws Exception {
        return "/api/v1/templates/sets/" + done(TEMPLATE_SET).text("/id");
    }

    /** Where a document template is. */
    String template() throws Exception {
        templateSet();
        return "/api/v1/templates/briefs/" + done(TEMPLATE).text("/id");
    }

    /** Calls that make a workflow template whose config is a text. */
    static final Request WORKFLOW_TEMPLATE = post(
            "/api/v1/templates/workflows",
            "{'id':'app','displayName':'App','description':'Says something.','category':'ops','author':'Ann','isOfficial':false,"
                    + "'tags':['one','two'],'thumbnailUrl':'https://example.com/a.png',"
                    + "'definition':{'startNode':'a','nodes':[{'id':'a','actionType':'core.echo',"
                    + "'parameters':{'text':{'$config':'/text'}}}]},"
                    + "'configSchema':{'type':'object','required':['text'],'properties':{'text':{'type':'string'}},"
                    + "'examples':[{'text':'hello'}]}}");

    /** Where a workflow template is. */
    String workflowTemplate() throws Exception {
        return "/api/v1/templates/workflows/" + done(WORKFLOW_TEMPLATE).text("/id");
    }

    /** What its next version says. */
    static String workflowTemplateVersion(String action) {
        return "{'displayName':'App','description':'Next.','category':'ops','author':'Ann','tags':['one'],"
                + "'thumbnailUrl':'https://example.com/a.png',"
                + "'definition':{'startNode':'a','nodes':[{'id':'a','actionType':'" + action + "'}]},"
                + "'configSchema':{'type':'object'}}";
    }

    /** A delivery to a webhook, signed. */
    Request delivery() throws Exception {
        return delivery(webhook(), "d-1", "{\"n\": 1}");
    }

    /** The same to that webhook. */
    static Request delivery(String webhook, String id, String body) {
        List<String> headers = WebhookSignature.sign(
                        id, Instant.now(), body.getBytes(StandardCharsets.UTF_8), List.of(WebhookSecret.parse(SECRET)))
                .stream()
                .flatMap(header -> Stream.of(header.name(), header.value()))
                .toList();
        return new Request("POST", webhook, Optional.of(body), headers);
    }

    static Request subscribe() {
        return send("PUT", "/api/v1/subscriptions/shop", "{'sink':{'webhook':'shop0'},'from':'beginning'}");
    }

    /** The same, which can't deliver. */
    void heldUp() throws Exception {
        over();
        assertEquals(201, done(subscribe()).status());
        until(get("/api/v1/subscriptions/shop"), "\"state\":\"broken\"");
    }
}
