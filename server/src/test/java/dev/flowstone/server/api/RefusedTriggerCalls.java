package dev.flowstone.server.api;

import static dev.flowstone.server.api.Stage.delete;
import static dev.flowstone.server.api.Stage.get;
import static dev.flowstone.server.api.Stage.post;
import static dev.flowstone.server.api.Stage.send;

import dev.flowstone.server.api.GoodCalls.Preparation;
import dev.flowstone.server.api.RefusedCalls.RefusedCall;
import dev.flowstone.server.api.Stage.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The same of triggers, events and subscriptions. */
final class RefusedTriggerCalls {
    /** A tenant that may start one execution in a long time. */
    static final String SLOW = "slow-trigger";

    private static final String TRIGGERS = "/api/v1/triggers";
    private static final String SUBSCRIPTION = "/api/v1/subscriptions/shop";
    private static final String CHANGED = "{'config':{'secrets':['$set']}}";
    private static final String STARTS = "'start':true";
    private static final String GOOD = "{'trigger':{'n':1}}";

    private final List<RefusedCall> all = new ArrayList<>();

    private RefusedTriggerCalls() {}

    static List<RefusedCall> all() {
        RefusedTriggerCalls calls = new RefusedTriggerCalls();
        calls.changes();
        calls.starts();
        calls.signals();
        calls.events();
        return calls.all;
    }

    private void call(String operation, String code, Preparation prepared) {
        all.add(new RefusedCall(operation, code, prepared));
    }

    private void changes() {
        call("createTrigger", "IDEMPOTENCY_KEY_REUSED", stage -> {
            Request made = keyed(stage.trigger(), "one");
            stage.done(made);
            return keyed(post(TRIGGERS, "{'workflowId':'echo','triggerType':'Manual'}"), "one");
        });
        call("updateTrigger", "TRIGGER_NOT_FOUND", _ -> send("PUT", TRIGGERS + "/" + UUID.randomUUID(), CHANGED));
        call("updateTrigger", "TRIGGER_DECLARED", stage -> send("PUT", declared(stage, STARTS), CHANGED));
        call("removeTrigger", "TRIGGER_DECLARED", stage -> delete(declared(stage, STARTS)));
        call("listTriggerTicks", "INVALID_STATE", stage -> get(stage.webhook() + "/next"));
    }

    /** One that a definition declares. */
    private static String declared(Stage stage, String does) throws Exception {
        stage.done(post("/api/v1/workflows", """
                {'$schema': 'https://flowstone.dev/schema/states-1.json', 'id': 'declares', 'name': 'Declares',
                 'triggers': [{'id': 'one', 'source': 'external', 'event': 'shop.order', %s}],
                 'start': 'done', 'states': {'done': {'end': {}}}}""".formatted(does)));
        stage.done(post("/api/v1/workflows/declares/publish", ""));
        return TRIGGERS + "/" + stage.done(get(TRIGGERS)).text("/items/0/id");
    }

    private static Request keyed(Request request, String key) {
        return new Request(request.method(), request.target(), request.body(), List.of("Idempotency-Key", key));
    }

    /** What becomes of a webhook, and its workflow, before something comes for it. */
    @FunctionalInterface
    private interface Change {
        void of(Stage stage, String webhook) throws Exception;
    }

    private void both(String code, String payload, Change change) {
        call("fireTrigger", code, stage -> {
            String webhook = stage.webhook();
            change.of(stage, webhook);
            return keyed(post(webhook + "/fire", "{'trigger':" + payload + "}"), "one");
        });
        call("receiveWebhook", code, stage -> {
            String webhook = stage.webhook();
            change.of(stage, webhook);
            return Stage.delivery(webhook, "one", payload.replace('\'', '"'));
        });
    }

    private void starts() {
        String payload = "{'n':1}";
        both("WFENG005", payload, (stage, _) -> {
            String schema = "\"triggerSchema\": {\"type\": \"object\", \"required\": [\"m\"]}, \"startNode\"";
            stage.done(post("/api/v1/workflows/echo/draft", Samples.echo("echo").replace("\"startNode\"", schema)));
            stage.done(post("/api/v1/workflows/echo/publish", ""));
        });
        both("TRIGGER_DISABLED", payload, (stage, webhook) -> stage.done(post(webhook + "/disable", "")));
        both("NOT_EXECUTABLE", payload, (stage, _) -> stage.done(post("/api/v1/workflows/echo/archive", "")));
        both(
                "SUSPENDED",
                payload,
                (stage, _) -> stage.done(
                        post("/api/v1/control/suspend", "{'scope':'tenant','reason':'x','input':'reject'}")));
        call("receiveWebhook", "MALFORMED_JSON", stage -> Stage.delivery(stage.webhook(), "d-1", "{"));
        call("fireTrigger", "QUOTA_EXCEEDED", stage -> {
            Stage slow = new Stage(stage.rest(), SLOW + "-1");
            return RefusedCalls.of(slow, post(fired(slow) + "/fire", GOOD));
        });
        call("receiveWebhook", "QUOTA_EXCEEDED", stage -> {
            Stage slow = new Stage(stage.rest(), SLOW + "-2");
            return Stage.delivery(fired(slow), "one", "{\"n\": 1}");
        });
    }

    /** A webhook that has started all that may be started. */
    private static String fired(Stage stage) throws Exception {
        String webhook = stage.webhook();
        stage.done(post(webhook + "/fire", GOOD));
        return webhook;
    }

    /** Of one that sends a signal. */
    private void signals() {
        call("fireTrigger", "SIGNAL_BUFFER_FULL", stage -> {
            String fire = declared(stage, "'signal':{'type':'paid','key':'7'}") + "/fire";
            stage.done(post(fire, event("1")));
            return post(fire, event("1"));
        });
        call(
                "fireTrigger",
                "LIMIT_EXCEEDED",
                stage -> post(
                        declared(stage, "'signal':{'type':'paid','key':'7'}") + "/fire",
                        event("'" + "x".repeat(20_000) + "'")));
    }

    private static String event(String data) {
        return "{'trigger':{'specversion':'1.0','id':'e','source':'/shop','type':'shop.order.paid','data':" + data
                + "}}";
    }

    private void events() {
        call("sendEvents", "LIMIT_EXCEEDED", stage -> {
            Request listener = stage.listener();
            for (int i = 0; i < 11; i++) {
                stage.done(listener);
            }
            StringBuilder events = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                events.append(i == 0 ? "" : ",")
                        .append("{\"specversion\":\"1.0\",\"id\":\"e-")
                        .append(i)
                        .append("\",\"source\":\"/shop\",\"type\":\"shop.order.paid\"}");
            }
            return new Request(
                    "POST",
                    "/api/v1/events",
                    Optional.of("[" + events + "]"),
                    List.of("Content-Type", "application/cloudevents-batch+json"));
        });
        call("putSubscription", "LIMIT_EXCEEDED", stage -> {
            for (int i = 0; i < 100; i++) {
                stage.done(send("PUT", SUBSCRIPTION + i, "{'sink':{'webhook':'shop0'}}"));
            }
            return Stage.subscribe();
        });
        call("putSubscription", "SUBSCRIPTION_NOT_FOUND", _ -> {
            Request put = Stage.subscribe();
            return new Request(put.method(), put.target(), put.body(), List.of("If-Match", "\"r1\""));
        });
    }
}
