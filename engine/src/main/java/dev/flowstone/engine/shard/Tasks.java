package dev.flowstone.engine.shard;

import dev.flowstone.engine.control.SettingWatch;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.Post;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands out the attempts of committed states, each once, and answers for those that time out or are given back. */
final class Tasks {
    private final TaskDispatcher dispatcher;
    private final SettingWatch settings;
    private final Clock clock;
    private final Consumer<CommandWork> results;
    private final Lease lease;
    private final CheckOuts checkOuts;
    private final InboxReader inbox;
    private final ArrayDeque<Work> redo;
    private final InFlight inFlight = new InFlight();

    /** Of handlers that have their place. */
    private List<Runnable> starts = new ArrayList<>();

    /** How many of these there were at the last start. */
    private int started;

    /** Recorded by a predecessor; their answers come by the inbox. */
    private final Set<InFlight.Name> expected = new HashSet<>();

    /** None of those comes any more while this shard is here. */
    private boolean missed;

    private boolean givingBack;
    private volatile boolean closed;

    Tasks(
            TaskDispatcher dispatcher,
            SettingWatch settings,
            Clock clock,
            Consumer<CommandWork> results,
            Lease lease,
            CheckOuts checkOuts,
            InboxReader inbox,
            ArrayDeque<Work> redo) {
        this.dispatcher = dispatcher;
        this.settings = settings;
        this.clock = clock;
        this.results = results;
        this.lease = lease;
        this.checkOuts = checkOuts;
        this.inbox = inbox;
        this.redo = redo;
    }

    /**
     * Hands it out, unless that was done before. One that was given back is recorded as handed out first; that done, it
     * comes here again.
     */
    void dispatch(RunKey run, RunState state, Attempt attempt, ArrayDeque<Work> local) {
        dispatch(run, state, attempt, null, local);
    }

    /**
     * The same for one that was just scheduled.
     *
     * @param post what it sends, if it is a one-way one: its message is committed
     */
    void dispatch(RunKey run, RunState state, Attempt attempt, @Nullable Post post, ArrayDeque<Work> local) {
        InFlight.Name name = InFlight.Name.of(run, attempt);
        if (closed || inFlight.contains(name)) {
            return;
        }
        if (attempt.returned()) {
            if (!givingBack) {
                Command again = new Command.HandOutTask(attempt.activation(), attempt.attempt());
                local.add(CommandWork.of(run, again, clock.now()));
            }
            return;
        }
        if (givingBack || state.hold() == Hold.SUSPENDED || settings.log().suspends(state)) {
            // A suspended run keeps the answer until it is resumed, and hands it out again then.
            answerFor(name, TaskOutcome.of(new TaskAnswer.Returned()), local);
            return;
        }
        if (post != null) {
            answerFor(name, dispatcher.outcomes().of(post.result()), local);
            return;
        }
        if (dispatcher.isOneWay(attempt)) {
            completeLate(name, state, attempt);
            return;
        }
        if (dispatcher.isTransactional(attempt)) {
            checkOut(name, state, attempt);
            return;
        }
        TaskRun task = dispatcher.prepare(state, attempt, outcome -> results.accept(answer(name, outcome, state)));
        inFlight.add(name, state.program().workflow(), task, attempt.timeout(), clock.now());
        dispatcher.submit(task, starts::add);
    }

    /** If it sends a message, that was committed before. No time out: a further attempt would send another one. */
    private void completeLate(InFlight.Name name, RunState state, Attempt attempt) {
        TaskRun task =
                dispatcher.prepareOneWay(state, attempt, outcome -> results.accept(answer(name, outcome, state)));
        inFlight.add(name, state.program().workflow(), task, InFlight.LONGEST, clock.now());
        dispatcher.submit(task, starts::add);
    }

    /** Whether it only sends a message, which is committed with the event that schedules it. */
    boolean isOneWay(Attempt attempt) {
        return dispatcher.isOneWay(attempt);
    }

    /** Starts the handlers of what was handed out since the last time. */
    void start() {
        started = starts.size();
        if (!starts.isEmpty()) {
            List<Runnable> now = starts;
            starts = new ArrayList<>();
            dispatcher.start(now);
        }
    }

    /** How many handlers the last {@link #start} was for. */
    int started() {
        return started;
    }

    /** Whether it was handed out here, or is never to be. */
    boolean knows(RunKey run, Attempt attempt) {
        return closed || inFlight.contains(InFlight.Name.of(run, attempt));
    }

    /**
     * Hands out what the journal has told of and nobody here has seen, while its run's turn is under way: a transaction has
     * to wait for the end of that turn, which else would be decided beside it.
     */
    void reconcile(RunKey run, RunState state, Attempt attempt, ArrayDeque<Work> local) {
        if (dispatcher.isTransactional(attempt) && !attempt.returned() && !givingBack) {
            checkOuts.queue(run);
        } else {
            dispatch(run, state, attempt, local);
        }
    }

    /** One transaction of a run at a time: the next one is to see the version that this one leaves. */
    private void checkOut(InFlight.Name name, RunState state, Attempt attempt) {
        if (checkOuts.mustWait(name.run()) || hasHeard(state)) {
            checkOuts.queue(name.run());
            return;
        }
        checkOuts.begin(name);
        TaskRun task =
                dispatcher.prepare(state, attempt, lease, outcome -> results.accept(answer(name, outcome, state)));
        // The database bounds its transaction; this is for a handler that is stuck in something else.
        inFlight.add(name, state.program().workflow(), task, Transactions.GIVEN_UP_AFTER, clock.now());
        dispatcher.submit(task, starts::add);
    }

    /**
     * Whether the run has heard what it will only decide when it is resumed (R25). Until then it doesn't know its subject's
     * version, so that the next transaction would be stale; nor must the one that was answered for be made again.
     */
    private static boolean hasHeard(RunState state) {
        return state.buffered() > 0
                && state.unansweredAttempts().size() < state.openAttempts().size();
    }

    /** Whether the run is checked out for an attempt of this activation. */
    boolean isOut(RunKey run, ActivationId activation) {
        return checkOuts.isOut(run, activation);
    }

    /** Hands out transactional attempts that waited for their run to be back, unless they have to wait on. */
    void dispatchQueued(RunKey run, RunState state, ArrayDeque<Work> local) {
        if (hasHeard(state)) {
            return;
        }
        checkOuts.forget(run);
        for (Attempt attempt : state.unansweredAttempts()) {
            if (dispatcher.isTransactional(attempt)) {
                dispatch(run, state, attempt, local);
            }
        }
    }

    /** Whether attempts of the run have waited for its transaction to end and may go now; asked after each of its turns. */
    boolean mayDispatchQueued(RunKey run, ArrayDeque<Work> local) {
        return checkOuts.mayGo(run, redo, local);
    }

    /** One that can't be decided has another in its place. */
    void replaced(Work work, CommandWork by) {
        checkOuts.replaced(work, by);
    }

    /** The run is set aside. */
    void forget(RunKey run) {
        checkOuts.forget(run);
    }

    /** Whether its answer may have been recorded although its node died. */
    boolean isTransactional(Attempt attempt) {
        return dispatcher.isTransactional(attempt);
    }

    /** Its answer is recorded and comes by the inbox: until then the run is checked out. */
    void expect(RunKey run, Attempt attempt) {
        InFlight.Name name = InFlight.Name.of(run, attempt);
        if (!inFlight.contains(name)) {
            inFlight.addUnmanned(name);
            expected.add(name);
            checkOuts.begin(name);
        }
    }

    /** Its activation was canceled: the handler is asked to end. One that still waits for its run ends unmade. */
    void cancel(RunKey run, Attempt attempt, ArrayDeque<Work> local) {
        InFlight.Name name = InFlight.Name.of(run, attempt);
        if (expected.contains(name)) {
            // It has been made, and its message tells so.
            return;
        }
        if (dispatcher.isTransactional(attempt) && !attempt.returned() && !inFlight.contains(name)) {
            forgo(run, attempt, local);
            return;
        }
        inFlight.cancel(name);
    }

    /**
     * Declares an attempt lost whose node died. One that this shard itself has handed out isn't: its run was met twice,
     * because a page of the takeover had to be read again.
     */
    void lost(RunKey run, Attempt attempt, ArrayDeque<Work> local) {
        InFlight.Name name = InFlight.Name.of(run, attempt);
        if (!inFlight.contains(name)) {
            answerFor(name, TaskOutcome.of(new TaskAnswer.Lost()), local);
        }
    }

    /** It was canceled in the very commit that scheduled it: it ends without having been handed out. */
    void forgo(RunKey run, Attempt attempt, ArrayDeque<Work> local) {
        answerFor(InFlight.Name.of(run, attempt), TaskRun.CANCELED, local);
    }

    /** Answers for an attempt that nobody works on. */
    private void answerFor(InFlight.Name name, TaskOutcome outcome, ArrayDeque<Work> local) {
        inFlight.addUnmanned(name);
        local.add(answer(name, outcome));
    }

    void expire(ArrayDeque<Work> local) {
        for (InFlight.Name name : inFlight.expire(clock.now())) {
            local.add(answer(name, TaskOutcome.of(new TaskAnswer.TimedOut())));
        }
    }

    /** Gives back, unused, what waits for a handler and belongs to runs that qualify. */
    List<InFlight.Name> withdraw(BiPredicate<RunKey, WorkflowId> runs, ArrayDeque<Work> local) {
        List<InFlight.Name> names = inFlight.withdraw(runs, dispatcher::withdraw);
        names.forEach(name -> local.add(answer(name, TaskOutcome.of(new TaskAnswer.Returned()))));
        return names;
    }

    /**
     * A run has become suspended: what of it waits for a handler is given back, unused (R25); also an attempt that nobody
     * waits for any more.
     */
    void suspended(RunKey run, ArrayDeque<Work> local) {
        withdraw((other, _) -> other.equals(run), local);
    }

    /** Whether the attempt has yet to be answered for, durably. */
    boolean isOpen(InFlight.Name name) {
        return inFlight.contains(name);
    }

    /**
     * Whether results are still to be read that a predecessor's transactions have recorded. What is asked of their runs is
     * decided after them, also by a node that stops.
     */
    boolean expects() {
        return !expected.isEmpty() && !missed;
    }

    /** What is expected doesn't come: what waits here for it mustn't hold up a stop. A successor looks again. */
    void expectNoMore() {
        missed = true;
        for (InFlight.Name name : expected) {
            inFlight.remove(name);
            redo.addAll(checkOuts.end(name.run(), inbox::release));
        }
    }

    /** From now on nothing is handed out: what would be goes back unused. */
    void stopDispatching() {
        givingBack = true;
    }

    /** From now on nothing is handed out, and what waits for a handler is given back; handlers that have begun go on. */
    void drain(ArrayDeque<Work> local) {
        givingBack = true;
        withdraw((_, _) -> true, local);
    }

    /** Interrupts what still runs and gives it back; but what is about to be committed answers for itself. */
    void giveBack(ArrayDeque<Work> local) {
        givingBack = true;
        for (InFlight.Name name : inFlight.giveUpAll()) {
            local.add(answer(name, TaskOutcome.of(new TaskAnswer.Returned())));
        }
    }

    /** From now on nothing is handed out or given back: the shard is somebody else's. Thread-safe. */
    void close() {
        closed = true;
    }

    /** Interrupts everything; nobody here may answer any more. */
    void abandonAll() {
        inFlight.abandonAll();
    }

    /**
     * Keeps what is asked of a run that is checked out, until it is back. Control is never kept for long (R25): an attempt
     * that only waits for a place goes back for it.
     */
    boolean keeps(CommandWork work, ArrayDeque<Work> local) {
        if (!checkOuts.keeps(work)) {
            return false;
        }
        InFlight.Name out = checkOuts.name(work.run);
        if (work.isControl()
                && out != null
                && inFlight.task(out).filter(dispatcher::withdraw).isPresent()) {
            local.add(answer(out, TaskOutcome.of(new TaskAnswer.Returned())));
        }
        return true;
    }

    /**
     * An answer has been decided, durably. Only if its attempt isn't open any more has it been answered for: not if the
     * answer was refused, nor if it was one of an attempt before.
     *
     * @param state after it; null if the run has none that counts
     */
    void settled(CommandWork work, @Nullable RunState state, boolean buffered, ArrayDeque<Work> local) {
        if (!(work.command instanceof Command.CompleteTask complete)) {
            return;
        }
        InFlight.Name answered = new InFlight.Name(work.run, complete.activation(), complete.attempt());
        if (buffered || !isOpen(state, answered)) {
            remove(answered);
        }
        if (!buffered
                && state != null
                && state.openAttempt(complete.activation()).isEmpty()) {
            // A success of an attempt before it: the one that waits for a worker, or that a worker makes, is not
            // needed.
            dispatcher
                    .remote()
                    .settled(work.run, complete.activation())
                    .ifPresent(attempt -> inFlight.remove(new InFlight.Name(work.run, complete.activation(), attempt)));
        }
        InFlight.Name out = checkOuts.name(work.run);
        if (out == null || !out.activation().equals(complete.activation())) {
            return;
        }
        boolean heard = expected.contains(out) && work.origin.isTransaction();
        if (heard || (buffered && out.equals(answered)) || !isOpen(state, out)) {
            remove(out);
            expected.remove(out);
            redo.addAll(checkOuts.end(work.run, inbox::release));
            if (heard && buffered && !out.equals(answered)) {
                // What was recorded was one before it: nobody works on this one, which finds that by itself.
                answerFor(out, TaskOutcome.of(new TaskAnswer.Returned()), local);
            } else if (heard && !buffered && state != null) {
                state.openAttempt(out.activation()).ifPresent(attempt -> dispatch(work.run, state, attempt, local));
            }
        }
    }

    /** It has been answered for, whoever did: if it still waits for its handler, it never begins. */
    private void remove(InFlight.Name name) {
        inFlight.task(name).ifPresent(dispatcher::withdraw);
        inFlight.remove(name);
    }

    private static boolean isOpen(@Nullable RunState state, InFlight.Name name) {
        return state != null
                && state.openAttempt(name.activation())
                        .filter(open -> open.attempt() == name.attempt() && !open.returned())
                        .isPresent();
    }

    Instant next() {
        return inFlight.next();
    }

    int open() {
        return inFlight.size();
    }

    /** Whether handlers or workers have any of it in their hands. */
    boolean areWorkedOn() {
        return inFlight.isManned();
    }

    private CommandWork answer(InFlight.Name name, TaskOutcome outcome, RunState state) {
        CommandWork answer = answer(name, outcome);
        answer.in(dispatcher.workClass(state));
        return answer;
    }

    private CommandWork answer(InFlight.Name name, TaskOutcome outcome) {
        if (outcome.recorded().isPresent()) {
            return InboxReader.command(outcome.recorded().get(), dispatcher.outcomes(), clock.now())
                    .by(name.attempt());
        }
        CommandWork result = CommandWork.result(
                name.run(),
                new Command.CompleteTask(name.activation(), name.attempt(), outcome.answer()),
                outcome.payloads(),
                clock.now());
        result.from(outcome.mark());
        return result;
    }
}
