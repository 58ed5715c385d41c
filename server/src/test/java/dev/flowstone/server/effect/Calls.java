package dev.flowstone.server.effect;

import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.RequesterLookup;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Attempts of {@code core.http}, as a handler gets them. */
final class Calls {
    static final RunId RUN = RunId.of(Instant.parse("2026-11-29T12:00:00Z"), new Slot(7), 42);

    private Calls() {}

    static JsonValue json(String text) {
        try {
            return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }

    /** With these parameters. */
    static TaskCall call(String parameters) {
        return call(parameters, "a", Duration.ofMinutes(5), Optional.empty());
    }

    static TaskCall call(String parameters, String node, Duration timeout, Optional<String> traceparent) {
        return call(parameters, parameters, node, timeout, traceparent);
    }

    /** With parameters that another template was filled in to. */
    static TaskCall filled(String template, String parameters) {
        return call(template, parameters, "a", Duration.ofMinutes(5), Optional.empty());
    }

    private static TaskCall call(
            String template, String parameters, String node, Duration timeout, Optional<String> traceparent) {
        return new TaskCall(
                new TenantId("default"),
                new WorkflowId("w"),
                RUN,
                "correlation",
                new ActivationId(new NodeId(node), 1),
                1,
                new HandlerName("core.http"),
                json(parameters),
                json(template),
                Sha256.ZERO,
                timeout,
                LinkLookup.NONE,
                RequesterLookup.UNKNOWN,
                () -> false,
                traceparent);
    }
}
