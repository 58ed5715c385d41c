package dev.flowstone.server.api;

import static dev.flowstone.server.api.Stage.ask;
import static dev.flowstone.server.api.Stage.delete;
import static dev.flowstone.server.api.Stage.get;
import static dev.flowstone.server.api.Stage.post;
import static dev.flowstone.server.api.Stage.send;
import static dev.flowstone.server.api.Stage.view;

import dev.flowstone.server.api.Stage.Request;
import java.util.ArrayList;
import java.util.List;

/** A call of each operation that does what it is for. Who adds a route adds one. */
final class GoodCalls {
    private static final String REASON = "{'reason':'x'}";
    private static final String TASK = "tasks/review%231/";
    private static final String WORK = "tasks/a%231/";
    private static final String SUBSCRIPTION = "/api/v1/subscriptions/shop";
    private static final String SCOPE = "{'scope':'tenant','reason':'x'}";

    private final List<GoodCall> all = new ArrayList<>();

    private GoodCalls() {}

    /** Brings about what has to be there, and tells the call. */
    @FunctionalInterface
    interface Preparation {
        Request on(Stage stage) throws Exception;
    }

    /** @param status that it is answered with */
    record GoodCall(String operation, int status, Preparation prepared) {
        @Override
        public String toString() {
            return operation;
        }
    }

    static List<GoodCall> all() {
        GoodCalls calls = new GoodCalls();
        calls.workflows();
        calls.executions();
        calls.control();
        calls.people();
        calls.workers();
        calls.outbox();
        calls.deadLetters();
        calls.triggers();
        calls.templates();
        calls.catalog();
        calls.workflowTemplates();
        calls.events();
        calls.system();
        return List.copyOf(calls.all);
    }

    private void ok(String operation, Preparation prepared) {
        call(operation, 200, prepared);
    }

    private void call(String operation, int status, Preparation prepared) {
        all.add(new GoodCall(operation, status, prepared));
    }

    /** One that needs nothing. */
    private void ok(String operation, String target) {
        ok(operation, _ -> get(target));
    }

    private void workflows() {
        String echo = "/api/v1/workflows/echo";
        ok("listWorkflows", stage -> {
            stage.draft("echo");
            return get("/api/v1/workflows?status=Draft&search=e&limit=1");
        });
        call("saveWorkflow", 201, _ -> post("/api/v1/workflows", Samples.echo("echo")));
        ok("getWorkflow", stage -> {
            stage.active("echo");
            return get(echo + "?version=1");
        });
        ok("listWorkflowVersions", stage -> {
            stage.active("echo");
            return get(echo + "/versions?limit=1");
        });
        call("deleteWorkflow", 204, stage -> {
            stage.draft("echo");
            return delete(echo);
        });
        call("openDraft", 201, stage -> {
            stage.active("echo");
            return post(echo + "/draft", "");
        });
        ok("discardDraft", stage -> {
            stage.active("echo");
            stage.done(post(echo + "/draft", ""));
            return delete(echo + "/draft");
        });
        ok("publishWorkflow", stage -> {
            stage.draft("echo");
            return post(echo + "/publish?autoActivate=true", "");
        });
        ok("archiveWorkflow", stage -> {
            stage.active("echo");
            return post(echo + "/archive", "");
        });
        ok("reactivateWorkflow", stage -> {
            stage.active("echo");
            stage.done(post(echo + "/archive", ""));
            return post(echo + "/reactivate", "");
        });
        call("executeWorkflow", 202, stage -> {
            stage.active("echo");
            return post(echo + "/execute", "{'trigger':{'n':1},'priority':5,'principal':{'userId':'anna'}}");
        });
        ok("migrateWorkflow", stage -> {
            stage.outdated();
            return post("/api/v1/workflows/order/migrate", "{'version':2,'nodes':{'wait':'pause'}}");
        });
        String rules = "{'kind':'rules','rules':[{'name':'usual','effect':'allow'}]}";
        ok("publishPolicy", _ -> send("PUT", "/api/v1/policies/open", rules));
        ok("getPolicy", stage -> {
            stage.done(send("PUT", "/api/v1/policies/open", rules));
            return get("/api/v1/policies/open?version=1");
        });
    }

    private void executions() {
        ok("listExecutions", stage -> {
            stage.waiting();
            return get("/api/v1/executions?status=Running&startedSince=2026-01-01T00:00:00Z&limit=1");
        });
        ok("countExecutions", stage -> {
            stage.waiting();
            return get("/api/v1/aggregates?startedSince=2026-01-01T00:00:00Z");
        });
        ok("listStuck", "/api/v1/stuck?limit=1");
        ok(
                "getExecution",
                stage -> view(stage.waiting(), "?include=actions,children,resources,events&limit=1&offset=1"));
        ok("getExecutionGraph", stage -> view(stage.waiting(), "/graph?format=json"));
        ok("getExecutionHierarchy", stage -> view(stage.waiting(), "/hierarchy"));
        ok("streamExecution", stage -> view(stage.over(), "/stream?from=2"));
        ok("getTimeline", stage -> view(stage.waiting(), "/timeline?from=2&limit=1"));
        ok("listTimers", stage -> view(stage.waiting(), "/timers"));
        ok("listIncidents", stage -> view(stage.waiting(), "/incidents"));
        ok("listChildren", stage -> view(stage.waiting(), "/children"));
        ok("getVariables", stage -> view(stage.waiting(), "/variables"));
        ok(
                "setVariables",
                stage -> send(
                        "PATCH",
                        "/api/v1/executions/" + stage.waiting() + "/variables",
                        "{'variables':{'n':1},'reason':'x'}"));
    }

    private void control() {
        ok("suspendExecution", stage -> ask(stage.waiting(), "suspend", REASON));
        ok("resumeExecution", stage -> {
            String run = stage.waiting();
            stage.done(ask(run, "suspend", REASON));
            return ask(run, "resume", REASON);
        });
        ok("drainExecution", stage -> ask(stage.waiting(), "drain", REASON));
        ok("cancelExecution", stage -> ask(stage.waiting(), "cancel", ""));
        ok("terminateExecution", stage -> ask(stage.waiting(), "terminate", REASON));
        ok("forceFailExecution", stage -> ask(stage.waiting(), "force-fail", REASON));
        ok("rollBackExecution", stage -> ask(stage.waiting(), "rollback", "{'nodeId':'a','reason':'x'}"));
        ok("rebuildExecution", stage -> ask(stage.waiting(), "rebuild", REASON));
        ok("reenqueueExecution", stage -> ask(stage.waiting(), "reenqueue", REASON));
        ok("fireTimer", stage -> ask(stage.waiting(), "timers/wait%231/fire", ""));
        ok("retryIncident", stage -> stage.incident("retry", ""));
        ok("skipIncident", stage -> stage.incident("skip", "{'output':1}"));
        ok("failIncident", stage -> stage.incident("fail", "{'code':'NO','message':'x'}"));
        ok("migrateExecution", stage -> ask(stage.outdated(), "migrate", "{'version':2,'nodes':{'wait':'pause'}}"));
        call("resetExecution", 202, stage -> {
            String run = stage.waiting();
            return ask(run, "reset", "{'sequence':" + stage.done(view(run, "")).at("/lastSeq") + "}");
        });
        ok("listScopeSettings", stage -> {
            stage.done(post("/api/v1/control/suspend", SCOPE));
            return get("/api/v1/control?limit=1");
        });
        ok("suspendScope", _ -> post("/api/v1/control/suspend", SCOPE));
        ok("drainScope", _ -> post("/api/v1/control/drain", SCOPE));
        ok("resumeScope", stage -> {
            stage.done(post("/api/v1/control/suspend", SCOPE));
            return post("/api/v1/control/resume", SCOPE);
        });
    }

    private void people() {
        ok("listTasks", stage -> {
            stage.asked();
            return get("/api/v1/tasks?assignee=user:anna&limit=1");
        });
        ok("listApprovals", stage -> {
            stage.asked();
            return get("/api/v1/approvals?limit=1");
        });
        ok("listTasksOfExecution", stage -> view(stage.asked(), "/tasks"));
        ok("claimTask", stage -> ask(stage.asked(), TASK + "claim", "{'leaseSeconds':60}"));
        ok("renewTask", stage -> ask(stage.claimed(), TASK + "heartbeat", ""));
        ok("releaseTask", stage -> ask(stage.claimed(), TASK + "release", ""));
        ok("decideTask", stage -> ask(stage.asked(), TASK + "decide", "{'outcome':'approved'}"));
        ok("delegateTask", stage -> ask(stage.asked(), TASK + "delegate", "{'to':'user:bob','reason':'x'}"));
        ok("reassignTask", stage -> ask(stage.asked(), TASK + "reassign", "{'to':['user:bob'],'reason':'x'}"));
        ok("resolveTask", stage -> ask(stage.asked(), TASK + "resolve", "{'outcome':'approved','reason':'x'}"));
        ok("listAttestations", stage -> view(stage.asked(), "/attestations"));
        ok("attest", stage -> stage.attestation("{'statement':'they know'}"));
        call("sendSignal", 202, _ -> post("/api/v1/signals", "{'type':'paid','key':'order-7','payload':1}"));
    }

    private void workers() {
        ok("claimWork", stage -> {
            stage.work();
            return Stage.claim(1);
        });
        ok(
                "renewWork",
                stage -> post(
                        "/api/v1/tasks/heartbeat", "{'tasks':[{" + stage.held().named() + "}]}"));
        ok(
                "returnWork",
                stage -> post(
                        "/api/v1/tasks/return", "{'tasks':[{" + stage.held().named() + "}]}"));
        ok(
                "completeWork",
                stage -> post(
                        "/api/v1/tasks/complete", "{'tasks':[{" + stage.held().named() + ",'output':1}]}"));
        call("leaveWork", 204, _ -> post("/api/v1/tasks/leave", "{'worker':'w'}"));
        ok("completeTask", stage -> ask(stage.held().run(), WORK + "complete", "{'attempt':1,'output':1}"));
        ok(
                "failTask",
                stage -> ask(stage.held().run(), WORK + "fail", "{'attempt':1,'error':{'code':'NO','message':'x'}}"));
        ok("linkResources", stage -> ask(stage.held().run(), WORK + "links", "{" + Stage.LINKED + "}"));
        ok("findLink", Stage::linked);
    }

    private void outbox() {
        ok("listMessages", stage -> withDeadMessage(stage, get("/api/v1/outbox?state=dead&limit=1")));
        ok("getMessage", stage -> get("/api/v1/outbox/" + stage.deadMessage()));
        ok("requeueMessage", stage -> post("/api/v1/outbox/" + stage.deadMessage() + "/requeue", REASON));
        ok("requeueMessages", stage -> withDeadMessage(stage, post("/api/v1/outbox/requeue", "{'limit':1}")));
        ok("purgeMessage", stage -> delete("/api/v1/outbox/" + stage.deadMessage() + "?reason=x"));
        ok("purgeMessages", stage -> withDeadMessage(stage, post("/api/v1/outbox/purge", "{'limit':1}")));
    }

    private void deadLetters() {
        String root = "/api/v1/dead-letters";
        ok("listDeadLetters", stage -> withDeadLetter(stage, get(root + "?state=dead&reason=POISON&limit=1")));
        ok("getDeadLetter", stage -> get(root + "/" + stage.deadLetter()));
        ok("requeueDeadLetter", stage -> post(root + "/" + stage.deadLetter() + "/requeue", "{'comment':'x'}"));
        ok("requeueDeadLetters", stage -> withDeadLetter(stage, post(root + "/requeue", "{'limit':1}")));
        ok("purgeDeadLetter", stage -> delete(root + "/" + stage.deadLetter() + "?comment=x"));
        ok("purgeDeadLetters", stage -> withDeadLetter(stage, post(root + "/purge", "{'limit':1}")));
    }

    private void triggers() {
        ok("listTriggers", stage -> {
            stage.webhook();
            return get("/api/v1/triggers?workflowId=echo&triggerType=Webhook&isEnabled=true&limit=1");
        });
        call("createTrigger", 201, Stage::trigger);
        ok("getTrigger", stage -> get(stage.webhook()));
        ok(
                "updateTrigger",
                stage -> send(
                        "PUT",
                        stage.webhook(),
                        "{'config':{'secrets':['$set']},'activationCondition':'trigger.n > 1'}"));
        call("removeTrigger", 204, stage -> delete(stage.webhook()));
        ok("enableTrigger", stage -> post(stage.webhook() + "/enable", ""));
        ok("disableTrigger", stage -> post(stage.webhook() + "/disable", ""));
        call("fireTrigger", 202, stage -> post(stage.webhook() + "/fire", "{'trigger':{'n':1}}"));
        ok("listTriggerDeliveries", stage -> {
            Request delivery = stage.delivery();
            stage.done(delivery);
            return get(delivery.target() + "/deliveries?limit=1");
        });
        ok("listTriggerTicks", stage -> get(stage.schedule() + "/next?count=3&from=2026-03-28T00:00:00Z"));
        call("receiveWebhook", 202, Stage::delivery);
    }

    private void workflowTemplates() {
        ok("listWorkflowTemplates", stage -> {
            stage.workflowTemplate();
            return get("/api/v1/templates/workflows?category=ops&isOfficial=false&search=app&limit=1");
        });
        call("createWorkflowTemplate", 201, _ -> Stage.WORKFLOW_TEMPLATE);
        ok("getWorkflowTemplate", stage -> get(stage.workflowTemplate() + "?version=1"));
        call(
                "writeWorkflowTemplateVersion",
                201,
                stage -> post(stage.workflowTemplate() + "/versions", Stage.workflowTemplateVersion("core.echo")));
        ok("enableWorkflowTemplate", stage -> {
            stage.done(post(stage.workflowTemplate() + "/disable", ""));
            return post("/api/v1/templates/workflows/app/enable", "");
        });
        ok("disableWorkflowTemplate", stage -> post(stage.workflowTemplate() + "/disable", ""));
        call(
                "instantiateWorkflowTemplate",
                201,
                stage -> post(
                        stage.workflowTemplate() + "/instantiate?version=1",
                        "{'displayName':'Mine','workflowId':'mine','config':{'text':'hi'}}"));
    }

    private void templates() {
        String sets = "/api/v1/templates/sets";
        ok("listTemplateSets", stage -> {
            stage.templateSet();
            return get(sets + "?team=docs&limit=1");
        });
        call("createTemplateSet", 201, _ -> Stage.TEMPLATE_SET);
        ok("getTemplateSet", stage -> get(stage.templateSet()));
        ok("updateTemplateSet", stage -> send("PUT", stage.templateSet(), "{'displayName':'Other','isEnabled':true}"));
        call("removeTemplateSet", 204, stage -> delete(stage.templateSet()));
        ok("listTemplates", stage -> {
            stage.template();
            return get("/api/v1/templates?team=docs&set=briefs&limit=1");
        });
        call("writeTemplateVersion", 201, stage -> {
            stage.templateSet();
            return Stage.TEMPLATE;
        });
        ok("getTemplate", stage -> {
            stage.template();
            return get("/api/v1/templates/app?version=1");
        });
        ok("getTemplateOfSet", stage -> get(stage.template() + "?version=1"));
        ok("listTemplateVersions", stage -> get(stage.template() + "/versions?limit=1"));
        String answers = "{'answers':{'title':'A'},'extras':{'n':1}}";
        ok("renderTemplate", stage -> {
            stage.template();
            return post("/api/v1/templates/app/render?version=1", answers);
        });
        ok("renderTemplateOfSet", stage -> post(stage.template() + "/render?version=1", answers));
        ok("disableTemplateVersion", stage -> post(stage.template() + "/versions/1/disable", ""));
        ok("enableTemplateVersion", stage -> post(stage.template() + "/versions/1/enable", ""));
    }

    private void catalog() {
        String why = "{'reason':'it floods them'}";
        ok("listConnectors", _ -> get("/api/v1/connectors?limit=1"));
        ok("getConnector", _ -> get("/api/v1/connectors/core"));
        ok("listConnectorActions", _ -> get("/api/v1/connectors/core/actions?limit=1"));
        ok("disableConnector", _ -> post("/api/v1/connectors/remote/disable", why));
        ok("enableConnector", _ -> post("/api/v1/connectors/remote/enable", ""));
        ok(
                "listActions",
                _ -> get("/api/v1/actions?connectorId=core&category=data&tag=json&search=FORM&isEnabled=true&limit=1"));
        ok("getAction", _ -> get("/api/v1/actions/core.transform"));
        ok("disableAction", _ -> post("/api/v1/actions/remote.work/disable", why));
        ok("enableAction", _ -> post("/api/v1/actions/remote.work/enable", ""));
    }

    private void events() {
        call("sendEvents", 202, stage -> {
            stage.done(stage.listener());
            return post(
                    "/api/v1/events",
                    "{'specversion':'1.0','id':'e-1','source':'/shop','type':'shop.order.paid','data':{'n':1}}");
        });
        ok("listSubscriptions", stage -> subscribed(stage, get("/api/v1/subscriptions?limit=1")));
        call("putSubscription", 201, _ -> Stage.subscribe());
        ok("getSubscription", stage -> subscribed(stage, get(SUBSCRIPTION)));
        ok("removeSubscription", stage -> subscribed(stage, delete(SUBSCRIPTION + "?reason=x")));
        ok("pauseSubscription", stage -> subscribed(stage, post(SUBSCRIPTION + "/pause", REASON)));
        ok("resumeSubscription", stage -> {
            stage.done(subscribed(stage, post(SUBSCRIPTION + "/pause", REASON)));
            return post(SUBSCRIPTION + "/resume", REASON);
        });
        ok("rewindSubscription", stage -> subscribed(stage, post(SUBSCRIPTION + "/rewind", "{'to':'now'}")));
        ok("skipEvent", stage -> {
            stage.heldUp();
            return post(SUBSCRIPTION + "/skip", REASON);
        });
    }

    private static Request withDeadMessage(Stage stage, Request then) throws Exception {
        stage.deadMessage();
        return then;
    }

    private static Request withDeadLetter(Stage stage, Request then) throws Exception {
        stage.deadLetter();
        return then;
    }

    private static Request subscribed(Stage stage, Request then) throws Exception {
        stage.done(Stage.subscribe());
        return then;
    }

    private void system() {
        ok("listRoutes", "/api/v1");
        ok("getOpenApi", "/api/v1/openapi.json");
        ok("showDocument", "/api/v1/docs");
        ok("getPagePart", "/api/v1/docs/start.js");
        ok("listProblems", "/api/v1/problems");
        ok("explainProblem", "/api/v1/problems/WFENG005");
        ok("isLive", "/health/live");
        ok("isReady", "/health/ready");
        ok("getHealth", "/health");
        ok("getMetrics", "/metrics");
        ok("getSkew", "/api/v1/system/skew");
        ok("getCluster", "/api/v1/cluster");
    }
}
