package dev.flowstone.engine.shard;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trace.Decided;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happens once a turn's decisions are durable, in this order: the state is cached, timers are kept, callers are
 * answered, attempts are handed out, listeners are told. Nothing of it happens before.
 */
final class Settler {
    private final ShardId shard;
    private final ShardParts parts;
    private final StateCache cache;
    private final ShardTimers timers;
    private final Tasks tasks;
    private final InboxReader inbox;
    private final Mail mail;
    private final Quarantine quarantine;
    private final ArrayDeque<Work> local;

    Settler(
            ShardId shard,
            ShardParts parts,
            StateCache cache,
            ShardTimers timers,
            Tasks tasks,
            InboxReader inbox,
            Mail mail,
            Quarantine quarantine,
            ArrayDeque<Work> local) {
        this.shard = shard;
        this.parts = parts;
        this.cache = cache;
        this.timers = timers;
        this.tasks = tasks;
        this.inbox = inbox;
        this.mail = mail;
        this.quarantine = quarantine;
        this.local = local;
    }

    /** Starts what was handed out. */
    void start() {
        tasks.start();
    }

    /** The turn's move, if it has one, is stored. */
    void settle(Turn turn) {
        RunMove move = turn.move;
        if (move != null) {
            keep(turn, move);
        }
        turn.consumed.forEach(inbox::release);
        Instant now = parts.clock().now();
        for (Turn.Verdict verdict : turn.verdicts) {
            answer(turn, verdict);
            parts.observer().decided(shard, verdict.work().enqueuedAt, now);
            trace(turn, verdict, now);
        }
        if (move != null) {
            dispatch(turn);
            if (!move.outbox().isEmpty()) {
                parts.publishSoon().run();
            }
            parts.listener().moved(turn.key, move.newSequence());
            parts.observer().moved(turn.key, move.newSequence(), move.status());
        }
        dispatchQueued(turn);
    }

    private void trace(Turn turn, Turn.Verdict verdict, Instant now) {
        Work work = verdict.work();
        if (parts.tracer().follows(work.mark, turn.key) && turn.hasState()) {
            String command = switch (work) {
                case StartWork _ -> "Start";
                case CommandWork asked -> asked.command.getClass().getSimpleName();
            };
            parts.tracer()
                    .decided(
                            work.mark,
                            new Decided(
                                    turn.key,
                                    turn.state().program().workflow(),
                                    command,
                                    verdict.fate().name().toLowerCase(Locale.ROOT),
                                    work.enqueuedAt,
                                    now,
                                    turn.state().lastSequence()));
        }
    }

    private void keep(Turn turn, RunMove move) {
        RunState state = turn.state();
        if (state.status().isFinal() && !move.awake()) {
            cache.evict(turn.key);
        } else {
            cache.put(turn.key, Moves.moved(turn, move));
        }
        for (TimerRow row : move.timersSet()) {
            timers.set(row);
        }
        move.letters().forEach(mail::sent);
        for (TimerId gone : move.timersGone()) {
            timers.gone(turn.key, gone);
        }
    }

    private void dispatch(Turn turn) {
        RunState state = turn.state();
        for (ActivationId activation : turn.scheduled) {
            state.openAttempt(activation).ifPresent(attempt -> {
                if (turn.canceled.contains(activation)) {
                    tasks.forgo(turn.key, attempt, local);
                } else {
                    tasks.dispatch(turn.key, state, attempt, turn.posts.of(attempt), local);
                }
            });
        }
        boolean wasSuspended = turn.base().state().hold() == Hold.SUSPENDED;
        if (!wasSuspended && state.hold() == Hold.SUSPENDED) {
            tasks.suspended(turn.key, local);
        } else if (wasSuspended && state.hold() != Hold.SUSPENDED) {
            // What was given back twice, before and under the suspension, is handed out again by nobody else.
            state.unansweredAttempts().forEach(attempt -> tasks.reconcile(turn.key, state, attempt, local));
        }
        for (ActivationId activation : turn.canceled) {
            state.openAttempt(activation).ifPresent(attempt -> tasks.cancel(turn.key, attempt, local));
        }
        if (state.continues()) {
            local.add(CommandWork.continuation(turn.key, parts.clock().now()));
        }
    }

    /** Attempts that waited for a transaction of their run; if its state isn't at hand, it is looked at in a turn to come. */
    private void dispatchQueued(Turn turn) {
        if (!tasks.mayDispatchQueued(turn.key, local)) {
            return;
        }
        if (turn.hasState()) {
            tasks.dispatchQueued(turn.key, turn.state(), local);
        } else {
            dispatchQueued(turn.key, cache.get(turn.key));
        }
    }

    private void dispatchQueued(RunKey run, @Nullable CachedRun cached) {
        if (cached != null) {
            tasks.dispatchQueued(run, cached.state(), local);
        } else if (quarantine.contains(run)) {
            tasks.forget(run);
        } else {
            local.add(CommandWork.continuation(run, parts.clock().now()));
        }
    }

    private void answer(Turn turn, Turn.Verdict verdict) {
        switch (verdict.work()) {
            case StartWork start -> start.answer.complete(answer(turn, start, verdict.result()));
            case CommandWork command -> {
                if (verdict.result() instanceof Turn.Result.Broken broken) {
                    broken(command, "ENGINE_ERROR", broken.reason());
                } else {
                    settled(turn, command, verdict.result());
                    answer(turn, command, verdict.result());
                    if (Loader.isTakenUp(verdict.result())) {
                        command.origin.inbox().ifPresent(parts.dead()::taken);
                    }
                }
            }
        }
    }

    /** A request that met its receipt says nothing new. */
    private void settled(Turn turn, CommandWork command, Turn.Result result) {
        if (!(result instanceof Turn.Result.Met)) {
            boolean buffered = result instanceof Turn.Result.Accepted accepted && accepted.buffered();
            tasks.settled(command, turn.hasState() ? turn.state() : null, buffered, local);
        }
    }

    /** Tells who asked. A letter to a run that is set aside isn't delivered: it comes again. */
    private static void answer(Turn turn, CommandWork command, Turn.Result result) {
        switch (command.origin) {
            case Origin.Engine _, Origin.Inbound _ -> {}
            case Origin.Post post -> {
                if (!(result instanceof Turn.Result.Rejected rejected
                        && rejected.code().equals(Loader.SET_ASIDE))) {
                    post.delivered().run();
                }
            }
            case Origin.Caller caller -> caller.answer().complete(answer(turn, caller, result));
        }
    }

    private static CallAnswer answer(Turn turn, Origin.Caller caller, Turn.Result result) {
        return switch (result) {
            case Turn.Result.Accepted accepted ->
                new CallAnswer.Done(accepted.events(), turn.state().lastSequence(), accepted.buffered());
            case Turn.Result.Rejected rejected -> new CallAnswer.Refused(rejected.code(), rejected.reason());
            case Turn.Result.Broken broken -> new CallAnswer.Refused("ENGINE_ERROR", broken.reason());
            case Turn.Result.Met met ->
                met.receipt().request().equals(caller.request().digest())
                        ? new CallAnswer.Repeated(sequence(met.receipt()))
                        : new CallAnswer.OtherRequest();
        };
    }

    private static long sequence(Receipt receipt) {
        return receipt.answer().get("sequence") instanceof JsonNumber number
                ? number.decimalValue().longValue()
                : 0;
    }

    private static StartAnswer answer(Turn turn, StartWork start, Turn.Result result) {
        return switch (result) {
            case Turn.Result.Accepted accepted ->
                new StartAnswer.Started(turn.key.run(), turn.state().lastSequence());
            case Turn.Result.Rejected rejected -> new StartAnswer.Refused(rejected.code(), rejected.reason());
            case Turn.Result.Broken broken -> new StartAnswer.Refused("ENGINE_ERROR", broken.reason());
            case Turn.Result.Met met -> met(start, met.receipt());
        };
    }

    private static StartAnswer met(StartWork start, Receipt receipt) {
        WorkflowId workflow = receipt.answer().get("workflow") instanceof JsonString name
                ? new WorkflowId(name.value())
                : start.request.workflow();
        if (start.hasRun() && start.run().run().equals(receipt.run())) {
            return new StartAnswer.Started(receipt.run(), 1);
        }
        if (start.reset.isPresent()
                && !receipt.request().equals(start.reset.get().digest())) {
            return new StartAnswer.Refused(
                    "IDEMPOTENCY_KEY_REUSED", "another point was asked for under this key; choose another key");
        }
        return workflow.equals(start.request.workflow())
                ? new StartAnswer.Existing(receipt.run())
                : new StartAnswer.OtherWorkflow(receipt.run(), workflow);
    }

    /** A command that can't be decided or stored: its substitute is tried, else its run stands still. */
    void broken(CommandWork work, String code, String reason) {
        work.instead(code, reason)
                .ifPresentOrElse(
                        instead -> {
                            tasks.replaced(work, instead);
                            local.add(instead);
                        },
                        () -> setAside(work, code, reason));
    }

    private void setAside(CommandWork work, String code, String reason) {
        if (work.origin instanceof Origin.Caller caller) {
            // Nobody waits for it but the caller, and nothing of it is left: the run is as it was.
            caller.answer().complete(new CallAnswer.Refused(code, reason));
            return;
        }
        quarantine.add(work.run, reason);
        if (work.origin.inbox().isPresent()) {
            Letters.message(work, parts.clock().now())
                    .ifPresent(letter -> parts.dead().lost(letter, DeadReason.POISON, reason));
        }
        cache.evict(work.run);
        tasks.settled(work, null, false, local);
    }

    /**
     * The database refused the data of a turn that stood alone.
     *
     * @param redo gets what is to be decided again, one command a commit
     */
    void refused(Turn turn, String reason, List<Work> redo) {
        List<Work> works = turn.works();
        if (works.size() > 1) {
            works.forEach(work -> {
                work.alone = true;
                redo.add(work);
            });
            return;
        }
        for (Work work : works) {
            switch (work) {
                case StartWork start ->
                    start.answer.complete(new StartAnswer.Refused("BAD_DATA", "it can't be stored: " + reason));
                case CommandWork command -> broken(command, "NOT_STORABLE", "it can't be stored: " + reason);
            }
        }
        if (tasks.mayDispatchQueued(turn.key, local)) {
            dispatchQueued(turn.key, cache.get(turn.key));
        }
    }

    /** The turn isn't stored: messages of it that no command carries are read again. */
    void release(Turn turn) {
        List<InboxKey> carried = turn.works().stream()
                .flatMap(work -> work instanceof CommandWork command ? command.origin.inbox().stream() : Stream.empty())
                .toList();
        turn.consumed.stream().filter(key -> !carried.contains(key)).forEach(inbox::release);
    }

    /** Whether a state that came from the journal has attempts that nobody here knows of. */
    boolean handsOut(RunState state, RunKey key) {
        return state.unansweredAttempts().stream().anyMatch(attempt -> !tasks.knows(key, attempt));
    }

    /**
     * A committed state came from the journal: whatever of it isn't known here was never acted upon, as long as the shard is
     * ours.
     */
    void reconcile(RunState state, RunKey key) {
        for (Attempt attempt : state.unansweredAttempts()) {
            tasks.reconcile(key, state, attempt, local);
        }
        if (state.continues()) {
            local.add(CommandWork.continuation(key, parts.clock().now()));
        }
        state.timers()
                .forEach(timer -> timers.set(new TimerRow(key, timer.timer(), timer.generation(), timer.dueAt())));
    }
}
