package dev.flowstone.server.log;

import dev.flowstone.engine.log.LogContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is known of the line that is being logged on this thread. */
final class LogFields {
    private LogFields() {}

    static Map<String, String> current() {
        Map<String, String> fields = new LinkedHashMap<>();
        LogContext.current().ifPresent(context -> context.describe(fields::put));
        Requesters.find(fields.get("run")).ifPresent(requester -> {
            fields.put("requester", requester.id());
            requester.email().ifPresent(email -> fields.put("requesterEmail", email));
        });
        SpanContext span = Span.current().getSpanContext();
        if (span.isValid()) {
            fields.put("trace", span.getTraceId());
            fields.put("span", span.getSpanId());
        }
        return fields;
    }
}
