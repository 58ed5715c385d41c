package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.shard.StartWork;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.trace.Mark;
import dev.flowstone.kernel.payload.Carried;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A node's door for starts: who may not start now is told so, all others come to a shard's loop. Thread-safe. */
final class StartDoor {
    private final Starts starts;
    private final Resets resets;
    private final OwnedShards owned;
    private final Loops loops;
    private final TaskDispatcher dispatcher;
    private final WorkClasses classes;
    private final EngineParts parts;

    StartDoor(
            Starts starts,
            Resets resets,
            OwnedShards owned,
            Loops loops,
            TaskDispatcher dispatcher,
            WorkClasses classes,
            EngineParts parts) {
        this.starts = requireNonNull(starts);
        this.resets = requireNonNull(resets);
        this.owned = requireNonNull(owned);
        this.loops = requireNonNull(loops);
        this.dispatcher = requireNonNull(dispatcher);
        this.classes = requireNonNull(classes);
        this.parts = requireNonNull(parts);
    }

    /** See {@link dev.flowstone.engine.Engine#start}. */
    CompletableFuture<StartAnswer> start(StartRequest request) {
        Optional<StartAnswer.Refused> refusal = starts.refusal(request.requestId());
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        if (owned.isStopping()) {
            return busy("the node is stopping");
        }
        if (dispatcher.isOverloaded(request.tenant())) {
            return busy("too many tasks wait for a handler");
        }
        Optional<StartAnswer.OverQuota> limit = starts.limit(request.tenant());
        if (limit.isPresent()) {
            return CompletableFuture.completedFuture(limit.get());
        }
        StartWork work;
        try {
            work = starts.work(request);
        } catch (Carried.TooLargeException e) {
            return starts.counted(
                    request.tenant(),
                    CompletableFuture.completedFuture(
                            new StartAnswer.Refused("INPUT_TOO_LARGE", "the input holds " + e.getMessage())));
        }
        work.from(parts.tracer().here());
        return starts.counted(request.tenant(), offered(work));
    }

    private CompletableFuture<StartAnswer> offered(StartWork work) {
        work.in(classes.of(work.workflow()));
        if (loops.offer(work)) {
            return work.answer();
        }
        boolean here = work.slot()
                .map(slot -> loops.owner(slot) != null)
                .orElse(!loops.all().isEmpty());
        return here
                ? busy("too many starts wait")
                : CompletableFuture.completedFuture(new StartAnswer.Busy(
                        "no shard of this node takes this start now",
                        EngineNode.RETRY_AFTER,
                        owned.elsewhere(work.slot())));
    }

    /** See {@link dev.flowstone.engine.Engine#reset}. */
    CompletableFuture<StartAnswer> reset(ResetRequest request) {
        Optional<StartAnswer.Refused> refusal = starts.refusal(request.requestId());
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        if (owned.isStopping()) {
            return busy("the node is stopping");
        }
        Optional<StartAnswer.OverQuota> limit = starts.limit(request.tenant());
        if (limit.isPresent()) {
            return CompletableFuture.completedFuture(limit.get());
        }
        Mark here = parts.tracer().here();
        CompletableFuture<StartAnswer> answer = CompletableFuture.supplyAsync(
                        () -> resets.make(request), parts.executor())
                .thenCompose(made -> switch (made) {
                    case Resets.Made.Refused(StartAnswer refused) -> CompletableFuture.completedFuture(refused);
                    case Resets.Made.Start(StartWork work) -> {
                        work.from(here);
                        yield offered(work);
                    }
                });
        return starts.counted(request.tenant(), answer);
    }

    private static CompletableFuture<StartAnswer> busy(String reason) {
        return CompletableFuture.completedFuture(new StartAnswer.Busy(reason, EngineNode.RETRY_AFTER));
    }
}
