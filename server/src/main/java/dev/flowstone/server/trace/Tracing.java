package dev.flowstone.server.trace;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.http.Watch;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;

/** Where spans are made, and where they go. Close it last: what has not been sent is sent then. */
public final class Tracing implements AutoCloseable {
    private static final String NAME = "dev.flowstone";
    private static final long PATIENCE_SECONDS = 5;

    private final RunSpans runs;
    private final CallSpans calls;
    private final Runnable end;

    private Tracing(Tracer tracer, boolean records, double ratio, Runnable end) {
        this.runs = new RunSpans(tracer, records, ratio);
        this.calls = new CallSpans(tracer);
        this.end = requireNonNull(end);
    }

    /** Makes no spans. What a caller says of its own trace is passed on. */
    public static Tracing off() {
        return new Tracing(TracerProvider.noop().get(NAME), false, 0, () -> {});
    }

    /**
     * Sends spans by OTLP over HTTP.
     *
     * @param ratio of the traces that begin here; of others, their callers have decided
     */
    public static Tracing to(String endpoint, double ratio, String service) {
        OtlpHttpSpanExporter exporter =
                OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build();
        return to(BatchSpanProcessor.builder(exporter).build(), ratio, service);
    }

    /** Gives spans to somebody. */
    public static Tracing to(SpanProcessor processor, double ratio, String service) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), service))))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
                .addSpanProcessor(processor)
                .build();
        return new Tracing(
                provider.get(NAME), true, ratio, () -> provider.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    /** For the engine. */
    public dev.flowstone.engine.trace.Tracer runs() {
        return runs;
    }

    /** For the border. */
    public Watch calls() {
        return calls;
    }

    @Override
    public void close() {
        end.run();
    }
}
