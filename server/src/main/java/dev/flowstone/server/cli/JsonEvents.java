package dev.flowstone.server.cli;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Payloads;

/** One JSON object a line: every event with its whole envelope, last the result. */
final class JsonEvents implements EventPrinter {
    private final Terminal terminal;

    JsonEvents(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void event(Event event) {
        print(EventJson.of(event));
    }

    @Override
    public void result(Execution execution, Payloads payloads) {
        JsonObject.Builder result = JsonObject.builder()
                .put("run", execution.row().key().run().toString())
                .put("workflow", execution.row().workflow().value())
                .put("version", execution.row().version())
                .put("status", ExecutionStatus.of(execution.row().status()).toString())
                .put("output", execution.output().map(payloads::value).orElse(JsonNull.NULL))
                .put("lastSeq", execution.row().lastSequence());
        execution
                .error()
                .ifPresent(error -> result.put(
                        "error",
                        JsonObject.builder()
                                .put("code", error.code())
                                .put("message", error.message())
                                .put("details", error.details())
                                .build()));
        execution.failedNode().ifPresent(node -> result.put("errorNode", node));
        print(JsonObject.builder().put("result", result.build()).build());
    }

    private void print(JsonValue value) {
        terminal.out().println(CanonicalJson.exactText(value));
    }
}
