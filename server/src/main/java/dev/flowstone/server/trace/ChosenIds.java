package dev.flowstone.server.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;
import java.util.Optional;

/** Ids of spans: random, but for those that were named before they began, because others lie below them. Thread-safe. */
final class ChosenIds implements IdGenerator {
    private final IdGenerator random = IdGenerator.random();
    private final ThreadLocal<Optional<SpanContext>> chosen = ThreadLocal.withInitial(Optional::empty);

    /** Begins a span under a given id, in its parent's trace, or in the given one if it has no parent. */
    Span start(SpanBuilder span, SpanContext as) {
        chosen.set(Optional.of(as));
        try {
            return span.startSpan();
        } finally {
            chosen.remove();
        }
    }

    @Override
    public String generateSpanId() {
        return chosen.get().map(SpanContext::getSpanId).orElseGet(random::generateSpanId);
    }

    @Override
    public String generateTraceId() {
        return chosen.get().map(SpanContext::getTraceId).orElseGet(random::generateTraceId);
    }

    /** Of traces that begin here: a named span is only made if it is wanted. */
    Sampler sampler(Sampler others) {
        return new Sampler() {
            @Override
            public SamplingResult shouldSample(
                    Context parent,
                    String trace,
                    String name,
                    SpanKind kind,
                    Attributes attributes,
                    List<LinkData> links) {
                return chosen.get().isPresent()
                        ? SamplingResult.recordAndSample()
                        : others.shouldSample(parent, trace, name, kind, attributes, links);
            }

            @Override
            public String getDescription() {
                return "Chosen{" + others.getDescription() + "}";
            }
        };
    }
}
