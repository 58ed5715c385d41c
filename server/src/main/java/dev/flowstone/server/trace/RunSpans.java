package dev.flowstone.server.trace;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.trace.Decided;
import dev.flowstone.engine.trace.Mark;
import dev.flowstone.engine.trace.TracedStep;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.server.trace.Places.Place;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Spans of what runs do. What a call led to is in the call's trace, over waits, too, as long as this process remembers
 * the run; what is remembered nowhere is in the run's own trace, whose id is the run's without its hyphens, so that all
 * nodes that carry the run on agree. Attempts lie below the span of their node, which is made when the run is over
 * ({@link ExecutionSpans}), and link to the decision that handed them out.
 */
final class RunSpans implements dev.flowstone.engine.trace.Tracer {
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
    private record Here(SpanContext span) implements Mark {}

    private static Mark mark(@Nullable SpanContext span) {
        return span == null || !span.isValid() ? Mark.NONE : new Here(span);
    }

    @Override
    public Mark here() {
        return mark(Span.current().getSpanContext());
    }

    @Override
    public Mark of(RunKey run) {
        Place place = places.find(run);
        return mark(place == null ? null : place.now());
    }

    @Override
    public boolean follows(Mark from, RunKey run) {
        return records || from instanceof Here || places.find(run) != null;
    }

    @Override
    public void decided(Mark from, Decided decided) {
        RunKey run = decided.run();
        SpanContext root = root(from, decided);
        Span span = begin("decide " + decided.command(), from, run)
                .setAttribute("flowstone.workflow", decided.workflow().value())
                .setAttribute("flowstone.fate", decided.fate())
                .setAttribute("flowstone.event", decided.lastSequence())
                .setStartTimestamp(decided.since())
                .startSpan();
        span.end(decided.until());
        places.put(run, new Place(root, span.getSpanContext()));
    }

    /** What the run came from, as far as that is known here. */
    private SpanContext root(Mark from, Decided decided) {
        Place known = places.find(decided.run());
        if (known != null) {
            return known.root();
        }
        return from instanceof Here(SpanContext span) && decided.begins()
                ? span
                : RunIds.own(decided.run().run(), ratio);
    }

    /** What a run came from: where its execution's span lies. */
    SpanContext root(RunKey run) {
        Place known = places.find(run);
        return known == null ? RunIds.own(run.run(), ratio) : known.root();
    }

    @Override
    public TracedStep attempt(Mark from, RunKey run, WorkflowId workflow, Attempt attempt) {
        if (!follows(from, run)) {
            return TracedStep.NONE;
        }
        SpanBuilder span = begin("attempt " + attempt.handler(), from, run);
        if (records) {
            SpanContext node = RunIds.node(run.run(), attempt.activation(), root(run));
            span.addLink(parent(from, run)).setParent(Context.root().with(Span.wrap(node)));
        }
        return new SpanStep(span.setAttribute("flowstone.workflow", workflow.value())
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
        if (from instanceof Here(SpanContext span)) {
            return span;
        }
        Place known = places.find(run);
        return known == null ? RunIds.own(run.run(), ratio) : known.now();
    }

    /** A span that is this thread's while it lasts. */
    private static final class SpanStep implements TracedStep {
        private final Span span;
        private final Scope scope;
        private boolean failed;

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
            failed = true;
            span.setAttribute("error.type", code);
            span.setStatus(StatusCode.ERROR);
        }

        @Override
        public void close() {
            span.setAttribute("flowstone.status", failed ? "failed" : "succeeded");
            scope.close();
            span.end();
        }
    }
}
