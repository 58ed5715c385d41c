package dev.flowstone.server.cli;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;

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
    public void event(JsonObject event) {
        print(event);
    }

    @Override
    public void result(RunEnd end) {
        JsonObject.Builder result = JsonObject.builder()
                .put("run", end.run())
                .put("workflow", end.workflow())
                .put("version", end.version())
                .put("status", end.status())
                .put("output", end.output().orElse(JsonNull.NULL))
                .put("lastSeq", end.lastSequence());
        end.error().ifPresent(error -> result.put("error", error));
        end.failedNode().ifPresent(node -> result.put("errorNode", node));
        print(JsonObject.builder().put("result", result.build()).build());
    }

    private void print(JsonValue value) {
        terminal.out().println(CanonicalJson.exactText(value));
    }
}
