package dev.flowstone.server.trace;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.trace.Decided;
import dev.flowstone.engine.trace.Mark;
import dev.flowstone.engine.trace.TracedStep;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Spans of what runs do. What a call led to is in the call's trace, over waits, too, as long as this process remembers
 * the run; what is remembered nowhere is in the run's own trace, whose id is the run's without its hyphens, so that all
 * nodes that carry the run on agree.
 */
final class RunSpans implements dev.flowstone.engine.trace.Tracer {
    private static final long RANDOM_BITS = 0x3fff_ffff_ffff_ffffL;

    private final Tracer tracer;
    private final boolean records;
    private final double ratio;
    private final Places places = new Places();

    RunSpans(Tracer tracer, boolean records, double ratio) {
        this.tracer = tracer;
        this.records = records;
        this.ratio = ratio;
    }

    /** A place in a trace. */
    private record Place(SpanContext span) implements Mark {}

    private static Mark mark(@Nullable SpanContext span) {
        return span == null || !span.isValid() ? Mark.NONE : new Place(span);
    }

    @Override
    public Mark here() {
        return mark(Span.current().getSpanContext());
    }

    @Override
    public Mark of(RunKey run) {
        return mark(places.find(run));
    }

    @Override
    public boolean follows(Mark from, RunKey run) {
        return records || from instanceof Place || places.find(run) != null;
    }

    @Override
    public void decided(Mark from, Decided decided) {
        RunKey run = decided.run();
        Span span = begin("decide " + decided.command(), from, run)
                .setAttribute("flowstone.workflow", decided.workflow().value())
                .setAttribute("flowstone.fate", decided.fate())
                .setAttribute("flowstone.event", decided.lastSequence())
                .setStartTimestamp(decided.since())
                .startSpan();
        span.end(decided.until());
        places.put(run, span.getSpanContext());
    }

    @Override
    public TracedStep attempt(Mark from, RunKey run, WorkflowId workflow, Attempt attempt) {
        if (!follows(from, run)) {
            return TracedStep.NONE;
        }
        return new SpanStep(begin("attempt " + attempt.handler(), from, run)
                .setAttribute("flowstone.workflow", workflow.value())
                .setAttribute("flowstone.activation", attempt.activation().toString())
                .setAttribute("flowstone.action", attempt.handler().value())
                .setAttribute("flowstone.attempt", attempt.attempt())
                .startSpan());
    }

    @Override
    public TracedStep delivery(RunKey run, String destination, long causeSequence, int attempt) {
        if (!follows(Mark.NONE, run)) {
            return TracedStep.NONE;
        }
        return new SpanStep(begin("deliver " + destination, Mark.NONE, run)
                .setSpanKind(SpanKind.PRODUCER)
                .setAttribute("flowstone.event", causeSequence)
                .setAttribute("flowstone.attempt", attempt)
                .startSpan());
    }

    private SpanBuilder begin(String name, Mark from, RunKey run) {
        return tracer.spanBuilder(name)
                .setParent(Context.root().with(Span.wrap(parent(from, run))))
                .setAttribute("flowstone.tenant", run.tenant().value())
                .setAttribute("flowstone.run", run.run().toString());
    }

    private SpanContext parent(Mark from, RunKey run) {
        if (from instanceof Place(SpanContext span)) {
            return span;
        }
        SpanContext known = places.find(run);
        return known == null ? own(run.run()) : known;
    }

    /** The place where a run's own trace begins. Whether it is one of those that are sent is the run id's to say, too. */
    private SpanContext own(RunId run) {
        HexFormat hex = HexFormat.of();
        long high = run.value().getMostSignificantBits();
        long low = run.value().getLeastSignificantBits();
        boolean sampled = (low & RANDOM_BITS) < ratio * RANDOM_BITS;
        return SpanContext.createFromRemoteParent(
                hex.toHexDigits(high) + hex.toHexDigits(low),
                hex.toHexDigits(low),
                sampled ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                TraceState.getDefault());
    }

    /** A span that is this thread's while it lasts. */
    private static final class SpanStep implements TracedStep {
        private final Span span;
        private final Scope scope;

        @SuppressWarnings("MustBeClosedChecker") // closed with the step, on the same thread
        SpanStep(Span span) {
            this.span = span;
            this.scope = span.makeCurrent();
        }

        @Override
        public Mark mark() {
            return RunSpans.mark(span.getSpanContext());
        }

        @Override
        public Optional<String> traceparent() {
            SpanContext place = span.getSpanContext();
            return place.isValid()
                    ? Optional.of("00-" + place.getTraceId() + "-" + place.getSpanId() + "-"
                            + place.getTraceFlags().asHex())
                    : Optional.empty();
        }

        @Override
        public void failed(String code) {
            span.setAttribute("error.type", code);
            span.setStatus(StatusCode.ERROR);
        }

        @Override
        public void close() {
            scope.close();
            span.end();
        }
    }
}
