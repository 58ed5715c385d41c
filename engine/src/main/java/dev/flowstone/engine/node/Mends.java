package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.engine.mend.Correction;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.Reload;
import dev.flowstone.engine.shard.ShardLoop;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** What operators ask for runs that stand still: a run is taken up again, its rows put right from its log. Thread-safe. */
final class Mends {
    private static final System.Logger LOG = System.getLogger(Mends.class.getName());

    private final Rebuilds rebuilds;
    private final OwnedShards owned;
    private final Loops loops;
    private final DeadLetterBox dead;
    private final Executor executor;

    Mends(Rebuilds rebuilds, OwnedShards owned, Loops loops, DeadLetterBox dead, Executor executor) {
        this.rebuilds = requireNonNull(rebuilds);
        this.owned = requireNonNull(owned);
        this.loops = requireNonNull(loops);
        this.dead = requireNonNull(dead);
        this.executor = requireNonNull(executor);
    }

    /** See {@link dev.flowstone.engine.Engine#mend}. */
    CompletableFuture<MendAnswer> mend(MendRequest request) {
        RunKey run = request.run();
        CompletableFuture<MendAnswer> answer = switch (request.act()) {
            case REENQUEUE -> reloaded(run, Optional.empty());
            case REBUILD ->
                // Who hasn't the run needn't read it.
                loops.owner(run.run().slot()) == null
                        ? reloaded(run, Optional.empty())
                        : CompletableFuture.supplyAsync(() -> rebuilds.make(run), executor)
                                .thenCompose(made -> switch (made) {
                                    case Rebuilds.Made.Answer(MendAnswer known) ->
                                        CompletableFuture.completedFuture(known);
                                    case Rebuilds.Made.Rows(Correction correction) ->
                                        reloaded(run, Optional.of(correction));
                                });
        };
        return answer.whenComplete((known, _) -> {
            if (known instanceof MendAnswer.Mended mended) {
                dead.takenUp(run);
                tell(request, mended);
            }
        });
    }

    /** Has a run taken up again. */
    CompletableFuture<MendAnswer> takeUp(RunKey run) {
        return reloaded(run, Optional.empty());
    }

    private CompletableFuture<MendAnswer> reloaded(RunKey run, Optional<Correction> correction) {
        ShardLoop loop = loops.owner(run.run().slot());
        if (owned.isStopping() || loop == null) {
            Optional<Member> owner = owned.isStopping()
                    ? Optional.empty()
                    : owned.elsewhere(Optional.of(run.run().slot()));
            return CompletableFuture.completedFuture(
                    new MendAnswer.Busy("no shard of this node has this run now", EngineNode.RETRY_AFTER, owner));
        }
        Reload reload = new Reload(run, correction, new CompletableFuture<>());
        return loop.offer(reload)
                ? reload.answer()
                : CompletableFuture.completedFuture(
                        new MendAnswer.Busy("too much is asked of this run's shard", EngineNode.RETRY_AFTER));
    }

    /** No event says it, since nothing of the run's history changes: the log does. */
    private static void tell(MendRequest request, MendAnswer.Mended done) {
        String what = request.act() == MendRequest.Act.REBUILD ? "rebuilt from its log" : "taken up again";
        LogContext.about(
                request.run(),
                () -> LOG.log(
                        Level.WARNING,
                        "run " + request.run().run() + " of tenant "
                                + request.run().tenant() + " was " + what + " by "
                                + request.actor() + " (" + request.reason() + "): rows put right: "
                                + done.differences() + ", attempts handed out: " + done.handedOut()));
    }
}
