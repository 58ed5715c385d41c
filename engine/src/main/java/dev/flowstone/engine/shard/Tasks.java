package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
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

/** Hands out the attempts of committed states, each once, and answers for those that time out or are given back. */
final class Tasks {
    private final TaskDispatcher dispatcher;
    private final Clock clock;
    private final Consumer<CommandWork> results;
    private final Lease lease;
    private final CheckOuts checkOuts;
    private final ArrayDeque<Work> redo;
    private final InFlight inFlight = new InFlight();

    /** Recorded by a predecessor; their answers come by the inbox. */
    private final Set<InFlight.Name> expected = new HashSet<>();

    private boolean givingBack;
    private volatile boolean closed;

    Tasks(
            TaskDispatcher dispatcher,
            Clock clock,
            Consumer<CommandWork> results,
            Lease lease,
            CheckOuts checkOuts,
            ArrayDeque<Work> redo) {
        this.dispatcher = dispatcher;
        this.clock = clock;
        this.results = results;
        this.lease = lease;
        this.checkOuts = checkOuts;
        this.redo = redo;
    }

    /**
     * Hands it out, unless that was done before. One that was given back is recorded as handed out first; that done, it
     * comes here again.
     */
    void dispatch(RunKey run, RunState state, Attempt attempt, ArrayDeque<Work> local) {
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
        if (givingBack || state.hold() == Hold.SUSPENDED) {
            // A suspended run keeps the answer until it is resumed, and hands it out again then.
            answerFor(name, TaskOutcome.of(new TaskAnswer.Returned()), local);
            return;
        }
        if (dispatcher.isTransactional(attempt)) {
            checkOut(name, state, attempt);
            return;
        }
        TaskRun task = dispatcher.prepare(state, attempt, outcome -> results.accept(answer(name, outcome)));
        inFlight.add(name, state.program().workflow(), task, attempt.timeout(), clock.now());
        dispatcher.submit(task);
    }

    /** One transaction of a run at a time: the next one is to see the version that this one leaves. */
    private void checkOut(InFlight.Name name, RunState state, Attempt attempt) {
        if (checkOuts.mustWait(name.run())) {
            checkOuts.queue(name.run());
            return;
        }
        checkOuts.begin(name);
        TaskRun task = dispatcher.prepare(state, attempt, lease, outcome -> results.accept(answer(name, outcome)));
        // The database bounds its transaction; this is for a handler that is stuck in something else.
        inFlight.add(name, state.program().workflow(), task, Transactions.GIVEN_UP_AFTER, clock.now());
        dispatcher.submit(task);
    }

    /** Hands out transactional attempts that waited for their run to be back. */
    void dispatchQueued(RunKey run, RunState state, ArrayDeque<Work> local) {
        checkOuts.forget(run);
        for (Attempt attempt : state.openAttempts()) {
            if (dispatcher.isTransactional(attempt)) {
                dispatch(run, state, attempt, local);
            }
        }
    }

    /** Whether attempts of the run have waited for its transaction to end and may go now; asked once after each turn. */
    boolean mayDispatchQueued(RunKey run) {
        return checkOuts.mayGo(run);
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
        List<InFlight.Name> names = inFlight.withdraw(runs);
        names.forEach(name -> local.add(answer(name, TaskOutcome.of(new TaskAnswer.Returned()))));
        return names;
    }

    /** Whether the attempt has yet to be answered for, durably. */
    boolean isOpen(InFlight.Name name) {
        return inFlight.contains(name);
    }

    /** From now on nothing is handed out: what would be goes back unused. */
    void stopDispatching() {
        givingBack = true;
    }

    /** Interrupts what still runs and gives it back. */
    void giveBack(ArrayDeque<Work> local) {
        givingBack = true;
        // A successor expects them again; what waits for them here mustn't hold up the stop.
        for (InFlight.Name name : expected) {
            inFlight.remove(name);
            List<Work> held = new ArrayList<>(0);
            checkOuts.end(name.run(), name.activation(), held);
            redo.addAll(held);
        }
        for (InFlight.Name name : inFlight.abandonAll()) {
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

    /** The attempt has been answered for, durably. */
    void settled(CommandWork work) {
        if (work.command instanceof Command.CompleteTask complete) {
            inFlight.remove(new InFlight.Name(work.run, complete.activation(), complete.attempt()));
            List<Work> held = new ArrayList<>(0);
            InFlight.Name back = checkOuts.end(work.run, complete.activation(), held);
            if (back != null) {
                inFlight.remove(back);
                expected.remove(back);
                redo.addAll(held);
            }
        }
    }

    Instant next() {
        return inFlight.next();
    }

    int open() {
        return inFlight.size();
    }

    private CommandWork answer(InFlight.Name name, TaskOutcome outcome) {
        if (outcome.recorded().isPresent()) {
            return InboxReader.command(outcome.recorded().get(), dispatcher.outcomes(), clock.now());
        }
        return CommandWork.result(
                name.run(),
                new Command.CompleteTask(name.activation(), name.attempt(), outcome.answer()),
                outcome.payloads(),
                clock.now());
    }
}
