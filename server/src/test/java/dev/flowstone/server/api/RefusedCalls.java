package dev.flowstone.server.api;

import static dev.flowstone.server.api.Stage.ask;
import static dev.flowstone.server.api.Stage.post;
import static dev.flowstone.server.api.Stage.send;

import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.GoodCalls.Preparation;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.api.Stage.Request;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls that an operation refuses for what it is about: those that no other test makes. Who adds a code to a route's documentation
 * adds a call here, or has it given by a test of its own; {@code ./flowstone check} names those that nobody was given.
 */
final class RefusedCalls {
    /** Small, so that they are soon reached. */
    static final Map<String, String> FLAGS = flags();

    /** The same, of a feed that is soon swept. */
    static final Map<String, String> STORED = stored();

    /** A tenant that may start one execution in a long time. */
    private static final String SLOW = "slow-reset";

    private static final int MOST_HANDS = 32;
    private static final Program AGAIN = ProgramText.program("""
            id: again
            flow:
              review: {human: [anna], on: {approved: done, rejected: review}}
              done: {end: success}
            """);
    private static final Program NOBODY = ProgramText.program("""
            id: nobody
            flow:
              review: {human: '{{ trigger.who }}', on: {approved: done, rejected: done}}
              done: {end: success}
            onFailure: park
            """);
    private static final String SUBJECT = "{'subject':{'kind':'contract','id':'c-9','version':%d,'exclusive':false}}";
    private static final int TOO_LONG = 20_000;
    private static final String X = "x".repeat(TOO_LONG);
    private static final String REASON = "{'reason':'x'}";
    private static final String REJECTS = "{'reason':'x','input':'reject'}";
    private static final String TASK = "tasks/review%231/";
    private static final String WORK = "tasks/a%231/";
    private static final String NO_TASK = "tasks/wait%231/";
    private static final String NO_NODE = "tasks/nothing%231/";
    private static final String OUTPUT = "{'attempt':1,'output':%d}";
    private static final String ERROR = "{'attempt':1,'error':{'code':'NO','message':'x'}}";
    private static final String TO_BOB = "{'to':'user:bob','reason':'x'}";
    private static final String LIST_OF_BOB = "{'to':['user:bob'],'reason':'x'}";
    private static final String APPROVED = "{'outcome':'approved'}";
    private static final String RESOLVED = "{'outcome':'approved','reason':'x'}";
    private static final String LINKED = "{" + Stage.LINKED + "}";

    private final List<RefusedCall> all = new ArrayList<>();

    private RefusedCalls() {}

    private static Map<String, String> flags() {
        Map<String, String> flags = new HashMap<>(Stage.FLAGS);
        flags.put("catalog.allowDraftExecution", "true");
        flags.put("engine.eventBytes", "16384");
        flags.put("engine.inlineBytes", "8192");
        flags.put("engine.bufferedInputs", "1");
        flags.put("engine.signalBuffer", "1");
        flags.put("engine.taskAssignees", "3");
        flags.put("engine.taskDecisions", "1");
        flags.put("quota.startsPerSecond", "1000");
        flags.put(
                "quota.tenantStarts",
                SLOW + " = 0.001, " + RefusedTriggerCalls.SLOW + "-1 = 0.001, " + RefusedTriggerCalls.SLOW
                        + "-2 = 0.001");
        return Map.copyOf(flags);
    }

    private static Map<String, String> stored() {
        Map<String, String> flags = new HashMap<>(FLAGS);
        flags.putAll(Map.of("sweep.every", "1s", "sweep.feed", "1s", "events.keepForSubscriptions", "0s"));
        return Map.copyOf(flags);
    }

    /** @param code that it is answered with */
    record RefusedCall(String operation, String code, Preparation prepared) {
        @Override
        public String toString() {
            return operation + " " + code;
        }
    }

    static List<RefusedCall> all() {
        RefusedCalls calls = new RefusedCalls();
        calls.suspended();
        calls.incidents();
        calls.tasks();
        calls.visits();
        calls.answers();
        calls.executions();
        calls.signals();
        calls.definitions();
        calls.all.addAll(RefusedTriggerCalls.all());
        calls.all.addAll(RefusedTemplateCalls.all());
        calls.all.addAll(RefusedCatalogCalls.all());
        calls.all.addAll(RefusedWorkflowTemplateCalls.all());
        return List.copyOf(calls.all);
    }

    private void call(String operation, String code, Preparation prepared) {
        all.add(new RefusedCall(operation, code, prepared));
    }

    /** The same call as user bob. */
    private static Request byBob(Request request) {
        List<String> headers = new ArrayList<>(request.headers());
        headers.addAll(List.of(LoopbackCallers.PRINCIPAL, "user:bob"));
        return new Request(request.method(), request.target(), request.body(), headers);
    }

    private static String suspended(Stage stage, String run, String body) throws Exception {
        stage.done(ask(run, "suspend", body));
        return run;
    }

    private void suspended() {
        call(
                "forceFailExecution",
                "SUSPENDED",
                stage -> ask(suspended(stage, stage.waiting(), REASON), "force-fail", REASON));
        call(
                "rollBackExecution",
                "SUSPENDED",
                stage -> ask(suspended(stage, stage.waiting(), REASON), "rollback", "{'nodeId':'a','reason':'x'}"));
        call(
                "fireTimer",
                "SUSPENDED",
                stage -> ask(suspended(stage, stage.waiting(), REASON), "timers/wait%231/fire", ""));
        call("resetExecution", "SUSPENDED", stage -> {
            String run = stage.waiting();
            Object last = stage.done(Stage.view(run, "")).at("/lastSeq");
            stage.done(post("/api/v1/control/suspend", "{'scope':'tenant','reason':'x','input':'reject'}"));
            return ask(run, "reset", "{'sequence':" + last + "}");
        });
        Map<String, String> incidents =
                Map.of("retry", "", "skip", "{'output':1}", "fail", "{'code':'NO','message':'x'}");
        incidents.forEach((verb, body) -> call(verb + "Incident", "SUSPENDED", stage -> {
            Request request = stage.incident(verb, body);
            suspended(stage, run(request), REASON);
            return request;
        }));
        people().forEach((verb, body) -> call(
                verb.operation(),
                "SUSPENDED",
                stage -> ask(suspended(stage, stage.asked(), REJECTS), TASK + verb.path(), body)));
        // What workers bring is kept for later whatever was said; there is an end to that, too.
        workers()
                .forEach((verb, body) -> call(verb.operation(), "SUSPENDED", stage -> {
                    String run = suspended(stage, stage.held().run(), REASON);
                    stage.done(send(
                            "PATCH", "/api/v1/executions/" + run + "/variables", "{'variables':{'n':1},'reason':'x'}"));
                    return ask(run, WORK + verb.path(), body);
                }));
    }

    private static String run(Request request) {
        return request.target().split("/", -1)[4];
    }

    private record Verb(String operation, String path) {}

    /** What people do with a task, each with a body that is good. */
    private static Map<Verb, String> people() {
        return Map.of(
                new Verb("claimTask", "claim"), "",
                new Verb("renewTask", "heartbeat"), "",
                new Verb("releaseTask", "release"), "",
                new Verb("decideTask", "decide"), APPROVED,
                new Verb("delegateTask", "delegate"), TO_BOB,
                new Verb("reassignTask", "reassign"), LIST_OF_BOB,
                new Verb("resolveTask", "resolve"), RESOLVED);
    }

    private static Map<Verb, String> workers() {
        return Map.of(
                new Verb("completeTask", "complete"), OUTPUT.formatted(1),
                new Verb("failTask", "fail"), ERROR,
                new Verb("linkResources", "links"), LINKED);
    }

    private void incidents() {
        call("retryIncident", "LIMIT_EXCEEDED", stage -> stage.incident("retry", "{'input':'" + X + "'}"));
        call("skipIncident", "LIMIT_EXCEEDED", stage -> stage.incident("skip", "{'output':'" + X + "'}"));
        call("retryIncident", "INVALID_COMMAND", stage -> {
            String run = started(stage, NOBODY, "/incidents", "review#1");
            Answer list = stage.done(Stage.view(run, "/incidents"));
            return ask(run, "incidents/" + list.at("/items/0/incident") + "/retry", "{'input':1}");
        });
        call(
                "failIncident",
                "NOT_FOUND",
                stage -> ask(stage.waiting(), "incidents/99/fail", "{'code':'NO','message':'x'}"));
    }

    private void tasks() {
        call("releaseTask", "CONFLICT", stage -> byBob(ask(stage.claimed(), TASK + "release", "")));
        call(
                "resolveTask",
                "INVALID_COMMAND",
                stage -> ask(stage.asked(), TASK + "resolve", "{'outcome':'no','reason':'x'}"));
        call("decideTask", "LIMIT_EXCEEDED", stage -> {
            Program both = HumanPrograms.review("both", new Quorum.All(), "user:anna", "user:bob");
            String run = started(stage, both, "/tasks", "review#1");
            stage.done(ask(run, TASK + "decide", APPROVED));
            return byBob(ask(run, TASK + "decide", APPROVED));
        });
        call(
                "reassignTask",
                "LIMIT_EXCEEDED",
                stage -> ask(
                        stage.asked(), TASK + "reassign", "{'to':['user:a','user:b','user:c','user:d'],'reason':'x'}"));
        call("delegateTask", "INVALID_COMMAND", stage -> {
            String run = stage.asked();
            stage.done(ask(run, TASK + "delegate", TO_BOB));
            return byBob(ask(run, TASK + "delegate", "{'to':'user:anna','reason':'x'}"));
        });
        call("delegateTask", "LIMIT_EXCEEDED", stage -> {
            String run = stage.asked();
            for (int i = 0; i < MOST_HANDS; i++) {
                stage.done(handedOn(run, i));
            }
            return handedOn(run, MOST_HANDS);
        });
        call("attest", "IDEMPOTENCY_KEY_REUSED", stage -> {
            Request request = stage.attestation("{'statement':'they know'}");
            stage.done(keyed(request));
            return keyed(post(request.target(), "{'statement':'they have no idea'}"));
        });
    }

    /** What a place was handed on to so often hands it on. */
    private static Request handedOn(String run, int times) {
        Request request = ask(
                run,
                TASK + "delegate",
                "{'from':'user:%s','to':'user:u%d','reason':'x'}"
                        .formatted(times == 0 ? "anna" : "u" + (times - 1), times));
        String by = times == 0 ? "user:anna" : "user:u" + (times - 1);
        return new Request(request.method(), request.target(), request.body(), List.of(LoopbackCallers.PRINCIPAL, by));
    }

    private static Request keyed(Request request) {
        return new Request(request.method(), request.target(), request.body(), List.of("Idempotency-Key", "one"));
    }

    private void visits() {
        people().forEach((verb, body) -> {
            call(verb.operation(), "WFENG002", stage -> ask(stage.waiting(), NO_TASK + verb.path(), body));
            call(verb.operation(), "NOT_FOUND", stage -> ask(stage.asked(), NO_NODE + verb.path(), body));
            call(verb.operation(), "STALE_ACTIVATION", stage -> {
                String run = started(stage, AGAIN, "/tasks", "review#1");
                stage.done(ask(run, TASK + "decide", "{'outcome':'rejected'}"));
                stage.until(Stage.view(run, "/tasks"), "review#2");
                return ask(run, TASK + verb.path(), body);
            });
        });
        workers()
                .forEach((verb, body) -> call(
                        verb.operation(),
                        "NOT_FOUND",
                        stage -> ask(stage.waiting(), "tasks/nothing/" + verb.path(), body)));
    }

    private void answers() {
        workers()
                .forEach((verb, body) -> call(verb.operation(), "CONFLICT", stage -> {
                    String run = stage.held().run();
                    stage.done(ask(run, WORK + "complete", OUTPUT.formatted(2)));
                    return ask(run, WORK + verb.path(), body);
                }));
    }

    private void executions() {
        call("resetExecution", "LIMIT_EXCEEDED", stage -> {
            String run = stage.waiting();
            for (String name : List.of("a", "b")) {
                stage.done(send(
                        "PATCH",
                        "/api/v1/executions/" + run + "/variables",
                        "{'variables':{'" + name + "':'" + "x".repeat(TOO_LONG / 2) + "'},'reason':'x'}"));
            }
            return ask(
                    run,
                    "reset",
                    "{'sequence':" + stage.done(Stage.view(run, "")).at("/lastSeq") + "}");
        });
        call("resetExecution", "QUOTA_EXCEEDED", stage -> {
            Stage slow = new Stage(stage.rest(), SLOW);
            String run = slow.waiting();
            return of(
                    slow,
                    ask(
                            run,
                            "reset",
                            "{'sequence':" + slow.done(Stage.view(run, "")).at("/lastSeq") + "}"));
        });
        call("executeWorkflow", "STALE_SUBJECT_VERSION", stage -> {
            stage.active("echo");
            stage.done(post("/api/v1/workflows/echo/execute", SUBJECT.formatted(3)));
            return post("/api/v1/workflows/echo/execute", SUBJECT.formatted(2));
        });
        // Of a draft that was never published: it goes, its executions stay.
        call("migrateExecution", "WORKFLOW_NOT_FOUND", stage -> {
            stage.draft("echo");
            String run = stage.done(post("/api/v1/workflows/echo/execute?version=draft", ""))
                    .text("/executionId");
            stage.done(Stage.delete("/api/v1/workflows/echo"));
            return ask(run, "migrate", "{'version':2}");
        });
        call("migrateWorkflow", "VERSION_NOT_FOUND", stage -> {
            stage.active("echo");
            return post("/api/v1/workflows/echo/migrate", "{'version':99}");
        });
    }

    private void signals() {
        String signal = "{'type':'paid','key':'7','payload':%s}";
        call("sendSignal", "LIMIT_EXCEEDED", _ -> post("/api/v1/signals", signal.formatted("'" + X + "'")));
        call("sendSignal", "IDEMPOTENCY_KEY_REUSED", stage -> {
            stage.done(keyed(post("/api/v1/signals", signal.formatted("1"))));
            return keyed(post("/api/v1/signals", signal.formatted("2")));
        });
    }

    private void definitions() {
        call("openDraft", "WFENG005", stage -> {
            stage.active("echo");
            return post("/api/v1/workflows/echo/draft", "{}");
        });
        // Numbers are written out where they are kept.
        String rules = "{'kind':'rules','rules':[" + "1e60,".repeat(12_500) + "1]}";
        call("publishPolicy", "LIMIT_EXCEEDED", _ -> send("PUT", "/api/v1/policies/open", rules));
    }

    private static String started(Stage stage, Program program, String list, String told) throws Exception {
        String run = stage.rest().start(program, stage.tenant());
        stage.until(Stage.view(run, list), told);
        return run;
    }

    /** The same of that tenant's. */
    static Request of(Stage stage, Request request) {
        List<String> headers = new ArrayList<>(request.headers());
        headers.addAll(List.of(LoopbackCallers.TENANT, stage.tenant()));
        return new Request(request.method(), request.target(), request.body(), headers);
    }
}
