package dev.flowstone.server.trace;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.shard.Observer;
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
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Where spans are made, and where they go. Close it last: what has not been sent is sent then. */
public final class Tracing implements AutoCloseable {
    private static final String NAME = "dev.flowstone";
    private static final long PATIENCE_SECONDS = 5;

    private final Tracer tracer;
    private final RunSpans runs;
    private final CallSpans calls;
    private final Optional<ChosenIds> ids;
    private final Runnable end;
    private final int events;
    private Optional<ExecutionSpans> executions = Optional.empty();

    private Tracing(Tracer tracer, Optional<ChosenIds> ids, double ratio, int events, Runnable end) {
        this.events = events;
        this.tracer = requireNonNull(tracer);
        this.runs = new RunSpans(tracer, ids.isPresent(), ratio);
        this.calls = new CallSpans(tracer);
        this.ids = ids;
        this.end = requireNonNull(end);
    }

    /** Makes no spans. What a caller says of its own trace is passed on. */
    public static Tracing off() {
        return new Tracing(TracerProvider.noop().get(NAME), Optional.empty(), 0, ExecutionSpans.EVENTS, () -> {});
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
        return to(processor, ratio, service, ExecutionSpans.EVENTS);
    }

    /**
     * The same.
     *
     * @param events of an execution that are read of its beginning; of a longer one the end is read besides
     */
    public static Tracing to(SpanProcessor processor, double ratio, String service, int events) {
        ChosenIds ids = new ChosenIds();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setIdGenerator(ids)
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), service))))
                .setSampler(Sampler.parentBased(ids.sampler(Sampler.traceIdRatioBased(ratio))))
                .addSpanProcessor(processor)
                .build();
        return new Tracing(
                provider.get(NAME),
                Optional.of(ids),
                ratio,
                events,
                () -> provider.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    /** For the engine. */
    public dev.flowstone.engine.trace.Tracer runs() {
        return runs;
    }

    /**
     * For the engine, too: tells of whole executions when they are over. Once.
     *
     * @param history where what happened to them is read
     */
    public Observer executions(RunHistory history) {
        executions = ids.map(chosen -> new ExecutionSpans(tracer, chosen, runs, history, events));
        return executions.<Observer>map(it -> it).orElse(Observer.NONE);
    }

    /** For the border. */
    public Watch calls() {
        return calls;
    }

    @Override
    public void close() {
        executions.ifPresent(ExecutionSpans::close);
        end.run();
    }
}
