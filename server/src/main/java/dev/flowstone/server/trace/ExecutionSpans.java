package dev.flowstone.server.trace;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.SettledRun;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.Parentage;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.execution.ExecutionStatus;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A span for each execution and one for each visit of its nodes, made when the execution is over, with the times that its events
 * hold: so they last as long as it did, over restarts, and none is open meanwhile (dataflow.md §14.2). A child's is linked to the
 * node that called it. They are read and made on a thread of their own; while too many executions end at once, some are left out.
 */
final class ExecutionSpans implements Observer {
    private static final System.Logger LOG = System.getLogger(ExecutionSpans.class.getName());
    private static final int WAITING = 1_000;

    /** So many of an execution are read. */
    static final int EVENTS = 50_000;

    private static final int NODES = 1_000;

    /** The end of a run is among so many last events. */
    private static final int END = 64;

    private static final long PATIENCE_SECONDS = 5;

    private final Tracer tracer;
    private final ChosenIds ids;
    private final RunSpans runs;
    private final RunHistory history;
    private final int events;
    private final AtomicBoolean told = new AtomicBoolean();
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().name("flowstone-spans").daemon().factory());

    /** @param events of an execution that are read of its beginning; of a longer one the end is read besides */
    ExecutionSpans(Tracer tracer, ChosenIds ids, RunSpans runs, RunHistory history, int events) {
        this.events = events;
        this.tracer = requireNonNull(tracer);
        this.ids = requireNonNull(ids);
        this.runs = requireNonNull(runs);
        this.history = requireNonNull(history);
    }

    /** An execution that is over. */
    private record Over(
            RunKey run,
            String workflow,
            int version,
            String correlation,
            RunStatus status,
            Optional<Parentage> parentage,
            long last,
            SpanContext root,
            SpanContext span) {}

    @Override
    public void committed(ShardId shard, Duration took, List<? extends SettledRun> settled) {
        for (SettledRun run : settled) {
            if (run.hasMoved()
                    && !Aggregates.isAggregate(run.run().run())
                    && !run.before().status().isFinal()
                    && run.after().status().isFinal()) {
                ended(run.run(), run.after());
            }
        }
    }

    private void ended(RunKey run, RunState state) {
        SpanContext root = runs.root(run);
        if (!root.isSampled()) {
            return;
        }
        Over over = new Over(
                run,
                state.program().workflow().value(),
                state.version(),
                state.correlation(),
                state.status(),
                state.parentage(),
                state.lastSequence(),
                root,
                RunIds.execution(run.run(), root));
        try {
            executor.execute(() -> tell(over));
        } catch (RejectedExecutionException e) {
            if (!executor.isShutdown() && !told.getAndSet(true)) {
                LOG.log(
                        Level.WARNING,
                        "more executions end than spans can be made of; some are left out: lower trace.ratio");
            }
        }
    }

    private void tell(Over over) {
        Map<ActivationId, NodeTime> nodes = new LinkedHashMap<>();
        Story story = new Story();
        try {
            OptionalLong more = history.replay(over.run().tenant(), over.run().run(), 1, events, event -> {
                story.heed(event);
                NodeTime.of(event.body()).ifPresent(activation -> heed(nodes, activation, event));
            });
            if (more.isPresent() && more.getAsLong() <= over.last()) {
                story.truncated = true;
                long end = Math.max(more.getAsLong(), over.last() - END + 1);
                history.page(over.run().tenant(), over.run().run(), end, END).forEach(story::heed);
            }
        } catch (JournalException | CorruptHistoryException e) {
            LOG.log(Level.WARNING, "no span is made of execution " + over.run() + ": " + e.getMessage());
            return;
        }
        execution(over, story);
        nodes.values().forEach(node -> node(over, node, story.last));
    }

    private static void heed(Map<ActivationId, NodeTime> nodes, ActivationId activation, Event event) {
        Instant at = event.header().eventTime();
        NodeTime node = nodes.get(activation);
        if (node == null && nodes.size() < NODES) {
            node = new NodeTime(activation, at);
            nodes.put(activation, node);
        }
        if (node != null) {
            node.heed(event.body(), at);
        }
    }

    private void execution(Over over, Story story) {
        SpanBuilder builder = about(over, "execution " + over.workflow())
                .setAttribute("flowstone.version", over.version())
                .setAttribute("flowstone.correlation", over.correlation())
                .setAttribute(
                        "flowstone.status", ExecutionStatus.of(over.status()).toString())
                .setStartTimestamp(story.first);
        if (over.root().getSpanId().equals(over.span().getSpanId())) {
            builder.setNoParent();
        } else {
            builder.setParent(Context.root().with(Span.wrap(over.root())));
        }
        over.parentage().ifPresent(parentage -> builder.addLink(caller(over, parentage)));
        Span span = ids.start(builder, over.span());
        if (story.truncated) {
            span.setAttribute("flowstone.truncated", true);
        }
        story.error.ifPresent(code -> span.setAttribute("error.type", code));
        if (over.status() != RunStatus.SUCCEEDED) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(story.ended.orElse(story.last));
    }

    /** The span of the node that called. */
    private SpanContext caller(Over over, Parentage parentage) {
        RunId parent = parentage.parent();
        return RunIds.node(
                parent, parentage.activation(), runs.root(new RunKey(over.run().tenant(), parent)));
    }

    private void node(Over over, NodeTime node, Instant last) {
        SpanBuilder builder = about(over, "node " + node.activation.node())
                .setParent(Context.root().with(Span.wrap(over.span())))
                .setAttribute("flowstone.node", node.activation.node().value())
                .setAttribute("flowstone.activation", node.activation.toString())
                .setAttribute("flowstone.status", node.status.orElse("unfinished"))
                .setStartTimestamp(node.began);
        node.action.ifPresent(action -> builder.setAttribute("flowstone.action", action.value())
                .setAttribute("flowstone.attempts", node.attempts));
        Span span = ids.start(builder, RunIds.node(over.run().run(), node.activation, over.root()));
        node.error.ifPresent(code -> {
            span.setAttribute("error.type", code);
            span.setStatus(StatusCode.ERROR);
        });
        span.end(node.ended.orElse(last));
    }

    private SpanBuilder about(Over over, String name) {
        return tracer.spanBuilder(name)
                .setAttribute("flowstone.tenant", over.run().tenant().value())
                .setAttribute("flowstone.run", over.run().run().toString())
                .setAttribute("flowstone.workflow", over.workflow());
    }

    /** What has not been made by then is left out. */
    void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The execution's own times. */
    private static final class Story {
        Instant first = Instant.EPOCH;
        Optional<Instant> ended = Optional.empty();
        Instant last = Instant.EPOCH;
        Optional<String> error = Optional.empty();

        /** Whether there are events between that weren't read. */
        boolean truncated;

        void heed(Event event) {
            last = event.header().eventTime();
            if (event.sequence() == 1) {
                first = last;
            }
            if (event.body().endsRun()) {
                ended = Optional.of(last);
            }
            if (event.body() instanceof EventBody.RunFailed failed) {
                error = Optional.of(failed.error().code());
            }
        }
    }
}
