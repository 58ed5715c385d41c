package dev.flowstone.server.cli;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.Payloads;
import dev.flowstone.server.node.Flowstone;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Shows a run from its first event to its last, waiting for those to come. */
final class RunFollower {
    /** Commits of this node wake us; the pause is for those of others. */
    private static final long PAUSE_MILLIS = 500;

    private final Flowstone flowstone;
    private final EventPrinter printer;
    private boolean ended;

    RunFollower(Flowstone flowstone, EventPrinter printer) {
        this.flowstone = flowstone;
        this.printer = printer;
    }

    /** Answers the exit code. */
    int follow(TenantId tenant, RunId run) throws Exception {
        Semaphore moved = new Semaphore(0);
        try (AutoCloseable _ = flowstone.engine().onMoved(tenant, run, sequence -> moved.release())) {
            long next = flowstone.history().replay(tenant, run, 1, this::show);
            while (!ended) {
                if (moved.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    moved.drainPermits();
                }
                next = flowstone.history().replay(tenant, run, next, this::show);
            }
        }
        RunRow row = flowstone.ports().runs().run(tenant, run).orElseThrow();
        return result(flowstone, row, printer);
    }

    private void show(Event event) {
        printer.event(event);
        ended |= event.body() instanceof EventBody.RunCompleted || event.body() instanceof EventBody.RunFailed;
    }

    private static int result(Flowstone flowstone, RunRow row, EventPrinter printer) throws JournalException {
        Execution execution = Execution.read(flowstone.history(), row);
        List<Payload> output = new ArrayList<>();
        execution.output().ifPresent(output::add);
        printer.result(
                execution, Payloads.of(flowstone.ports().runs(), row.key().tenant(), output));
        return execution.error().isPresent() ? Exit.FAILED : Exit.SUCCEEDED;
    }
}
