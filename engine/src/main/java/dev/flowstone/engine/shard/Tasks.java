package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** Hands out the attempts of committed states, each once, and answers for those that time out or are given back. */
final class Tasks {
    private final TaskDispatcher dispatcher;
    private final Clock clock;
    private final Consumer<CommandWork> results;
    private final InFlight inFlight = new InFlight();
    private boolean givingBack;
    private volatile boolean closed;

    Tasks(TaskDispatcher dispatcher, Clock clock, Consumer<CommandWork> results) {
        this.dispatcher = dispatcher;
        this.clock = clock;
        this.results = results;
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
        if (givingBack) {
            answerFor(name, TaskOutcome.of(new TaskAnswer.Returned()), local);
            return;
        }
        TaskRun task = dispatcher.prepare(state, attempt, outcome -> results.accept(answer(name, outcome)));
        inFlight.add(name, task, attempt.timeout(), clock.now());
        dispatcher.submit(task);
    }

    /** Its activation was canceled: the handler is asked to end. */
    void cancel(RunKey run, Attempt attempt) {
        inFlight.cancel(InFlight.Name.of(run, attempt));
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

    /** From now on nothing is handed out: what would be goes back unused. */
    void stopDispatching() {
        givingBack = true;
    }

    /** Interrupts what still runs and gives it back. */
    void giveBack(ArrayDeque<Work> local) {
        givingBack = true;
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
        }
    }

    Instant next() {
        return inFlight.next();
    }

    int open() {
        return inFlight.size();
    }

    private CommandWork answer(InFlight.Name name, TaskOutcome outcome) {
        return CommandWork.result(
                name.run(),
                new Command.CompleteTask(name.activation(), name.attempt(), outcome.answer()),
                outcome.payloads(),
                clock.now());
    }
}
