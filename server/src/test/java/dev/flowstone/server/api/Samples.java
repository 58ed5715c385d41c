package dev.flowstone.server.api;

/** Definitions for tests. */
final class Samples {
    /** dataflow.md §15.3: B runs, C is skipped, D joins once. */
    static final String FAN = """
            {"id": "fan", "displayName": "Fan", "startNode": "A", "nodes": [
              {"id": "A", "actionType": "core.echo", "parameters": {"msg": "start"}, "edges": [
                {"targetNode": "B", "condition": "true"}, {"targetNode": "C", "condition": "false"}]},
              {"id": "B", "actionType": "core.echo", "parameters": {"msg": "B"}, "edges": [{"targetNode": "D"}]},
              {"id": "C", "actionType": "core.echo", "parameters": {"msg": "C"}, "edges": [{"targetNode": "D"}]},
              {"id": "D", "actionType": "core.echo", "parameters": {"msg": "Join"}}]}
            """;

    private Samples() {}

    /** One echo of the trigger. */
    static String echo(String id) {
        return echo(id, "{{ trigger }}");
    }

    static String echo(String id, String text) {
        return """
                {"id": "%s", "displayName": "Echo", "startNode": "only", "nodes": [
                  {"id": "only", "actionType": "core.echo", "parameters": {"said": "%s"}}]}
                """.formatted(id, text);
    }

    /** Fails twice, then works. */
    static String retried(String id) {
        return """
                {"id": "%s", "displayName": "Retried", "startNode": "try", "nodes": [
                  {"id": "try", "actionType": "core.sometimes-fails", "parameters": {"failures": 2},
                   "policies": {"retry": {"maxAttempts": 4, "baseDelayMs": 1, "jitter": false}}}]}
                """.formatted(id);
    }

    static String failing(String id) {
        return """
                {"id": "%s", "displayName": "Failing", "startNode": "no", "nodes": [
                  {"id": "no", "actionType": "core.fail", "parameters": {"code": "NO", "message": "it can't"}}]}
                """.formatted(id);
    }

    /** Waits for an hour. */
    static String waiting(String id) {
        return """
                {"id": "%s", "displayName": "Waiting", "startNode": "wait", "nodes": [
                  {"id": "wait", "actionType": "core.delay", "parameters": {"duration": "PT1H"}}]}
                """.formatted(id);
    }

    /** Asks for an amount. */
    static String guarded(String id) {
        return """
                {"id": "%s", "displayName": "Guarded", "startNode": "only",
                 "triggerSchema": {"type": "object", "required": ["amount"],
                                   "properties": {"amount": {"type": "integer", "minimum": 1}}},
                 "nodes": [{"id": "only", "actionType": "core.echo", "parameters": {"n": "{{ trigger.amount }}"}}]}
                """.formatted(id);
    }
}
