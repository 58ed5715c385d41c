package dev.flowstone.bench.torture.load;

import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.bench.torture.company.CompanyConfig;
import dev.flowstone.bench.worker.EffectWorker;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;

/** The workflows that are tortured. An attempt whose node or worker died is used up, so each has many. */
public final class TortureDefinitions {
    /** Signals have this type; their key is the trigger's name. */
    static final String SIGNAL = "torture.go";

    /** Who decides has this role. */
    static final String ROLE = "reviewer";

    private static final String POLICIES = """
            "policies": {"timeoutMs": 60000, "retry": {"maxAttempts": 21, "baseDelayMs": 500, "backoffFactor": 1.0}}""";

    private static final String RETRY = """
            "timeout": "PT1M", "retry": {"attempts": 20, "delay": "PT0.5S", "factor": 1}""";

    private static final String ACT = """
            "act": {"task": {"action": "EFFECT", RETRY}, "next": "done"},
            "done": {"end": {}}""";

    private static final String SEQUENCE = """
            {"id": "ID", "displayName": "ID", "startNode": "first", "nodes": [
              {"id": "first", "actionType": "EFFECT", POLICIES, "edges": [{"targetNode": "second"}]},
              {"id": "second", "actionType": "EFFECT", POLICIES, "edges": [{"targetNode": "third"}]},
              {"id": "third", "actionType": "EFFECT", POLICIES}]}""";

    private static final String TIMER = """
            {"id": "ID", "displayName": "ID", "startNode": "wait", "nodes": [
              {"id": "wait", "actionType": "core.delay", "parameters": {"durationMs": "{{ trigger.millis }}"},
               "edges": [{"targetNode": "act"}]},
              {"id": "act", "actionType": "EFFECT", POLICIES}]}""";

    private static final String PROBE = """
            {"id": "ID", "displayName": "ID", "startNode": "echo", "nodes": [{"id": "echo", "actionType": "core.echo"}]}""";

    private static final String TELL = """
            {"id": "ID", "displayName": "ID", "startNode": "tell", "nodes": [
              {"id": "tell", "actionType": "core.webhook", POLICIES,
               "parameters": {"endpoint": "ENDPOINT", "type": "torture.told", "data": {"name": "{{ trigger.name }}"}}}]}""";

    private static final String APPROVAL = """
            {"$schema": "SCHEMA", "id": "ID", "name": "ID", "roles": {"ROLE": {}}, "start": "review", "states": {
              "review": {
                "human": {"assignees": [{"role": "ROLE"}], "request": {"title": "Go on?"}},
                "timeout": "P1D",
                "transitions": [{"on": "approve", "to": "act"}, {"on": "reject", "to": "act"},
                                {"on": "timeout", "to": "late"}]
              },
              "late": {"end": {"outcome": "late"}},
              ACT}}""";

    private static final String WAITING = """
            {"$schema": "SCHEMA", "id": "ID", "name": "ID", "start": "hear", "states": {
              "hear": {"wait": {"signal": "SIGNAL", "key": "{{ trigger.name }}"}, "next": "act"},
              ACT}}""";

    private static final String UNDO = """
            {"$schema": "SCHEMA", "id": "ID", "name": "ID", "onFailure": "compensate", "start": "reserve",
             "compensations": {
              "undo": {"action": "UNDOING", "input": {}, RETRY},
              "refund": {"action": "UNDOING", "input": {"name": "{{ trigger.name }}"}, RETRY}},
             "states": {
              "reserve": {"task": {"action": "EFFECT", RETRY, "compensation": "undo"}, "next": "pay"},
              "pay": {"task": {"action": "EFFECT", RETRY, "compensation": "refund"}, "next": "ship"},
              "ship": {"task": {"action": "REFUSE", RETRY, "sideEffects": false}, "next": "done"},
              "done": {"end": {}}}}""";

    private TortureDefinitions() {}

    /** As it is published. */
    public static JsonObject of(Kind kind) {
        String text = switch (kind) {
            case SEQUENCE -> SEQUENCE;
            case APPROVAL -> APPROVAL;
            case SIGNAL -> WAITING;
            case TIMER -> TIMER;
            case UNDO -> UNDO;
            case TELL -> TELL;
            case PROBE -> PROBE;
        };
        String whole = text.replace("ACT}", ACT + "}")
                .replace("POLICIES", POLICIES)
                .replace("RETRY", RETRY)
                .replace("SCHEMA", StatesDialect.SCHEMA)
                .replace("ENDPOINT", CompanyConfig.ENDPOINT)
                .replace("SIGNAL", SIGNAL)
                .replace("ROLE", ROLE)
                .replace("EFFECT", EffectWorker.EFFECT)
                .replace("UNDOING", EffectWorker.UNDO)
                .replace("REFUSE", EffectWorker.REFUSE)
                .replace("\"ID\"", "\"" + kind.workflow() + "\"");
        try {
            return (JsonObject) JsonParser.parse(whole.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("a definition of ours is no JSON: " + whole, e);
        }
    }
}
