package dev.flowstone.server.trace;

import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Headers;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Watch;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A span for each call; one that names a trace by the W3C's headers is part of it. */
final class CallSpans implements Watch {
    private static final TextMapGetter<Headers> HEADERS = new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // it has to be there still
        public Iterable<String> keys(Headers headers) {
            return List.of("traceparent", "tracestate");
        }

        @Override
        public @Nullable String get(@Nullable Headers headers, String name) {
            return headers == null ? null : headers.first(name).orElse(null);
        }
    };

    private final Tracer tracer;

    CallSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // closed when the call is answered, on the same thread
    public Visit begin(String method, Headers headers) {
        Context caller = W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
        Span span = tracer.spanBuilder(method)
                .setParent(caller)
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        Scope scope = span.makeCurrent();
        return new Visit() {
            @Override
            public void admitted(Route route, Caller who, String correlation) {
                span.updateName(route.toString());
                span.setAttribute("http.request.method", method);
                span.setAttribute("http.route", route.path());
                span.setAttribute("flowstone.tenant", who.tenant().value());
                span.setAttribute("flowstone.correlation", correlation);
            }

            @Override
            public void answered(int status) {
                span.setAttribute("http.response.status_code", status);
                if (status >= 500) {
                    span.setStatus(StatusCode.ERROR);
                }
                scope.close();
                span.end();
            }
        };
    }
}
