package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A command for a run that exists. */
public final class CommandWork extends Work {
    final RunKey run;
    final Command command;

    /** The message that it came by, consumed in the commit that it becomes part of. */
    final Optional<InboxKey> inbox;

    /** Already stands in for a command that could not be stored. */
    final boolean substitute;

    private CommandWork(
            RunKey run,
            Command command,
            List<StoredPayload> payloads,
            Optional<InboxKey> inbox,
            boolean substitute,
            Instant enqueuedAt) {
        super(payloads, enqueuedAt);
        this.run = requireNonNull(run);
        this.command = requireNonNull(command);
        this.inbox = requireNonNull(inbox);
        this.substitute = substitute;
    }

    public static CommandWork of(RunKey run, Command command, Instant enqueuedAt) {
        return new CommandWork(run, command, List.of(), Optional.empty(), false, enqueuedAt);
    }

    /** Goes on with what a decision left behind at its bound. */
    static CommandWork continuation(RunKey run, Instant enqueuedAt) {
        return of(run, new Command.ContinueRun(), enqueuedAt);
    }

    /** Whether the state alone says that this must be done: a shard that stops leaves it to its successor. */
    boolean canWait() {
        return command instanceof Command.ContinueRun || command instanceof Command.HandOutTask;
    }

    /** A task's result, with what must be stored beside it. */
    public static CommandWork result(
            RunKey run, Command.CompleteTask command, List<StoredPayload> payloads, Instant enqueuedAt) {
        return new CommandWork(run, command, payloads, Optional.empty(), false, enqueuedAt);
    }

    static CommandWork message(
            RunKey run, Command command, List<StoredPayload> payloads, InboxKey inbox, Instant enqueuedAt) {
        return new CommandWork(run, command, payloads, Optional.of(inbox), false, enqueuedAt);
    }

    public RunKey run() {
        return run;
    }

    /**
     * What the run is told instead when this command can't be decided or stored: a task's result becomes a permanent
     * failure, so that its attempt doesn't stay open for ever. Empty if there is nothing left to try.
     */
    Optional<CommandWork> instead(String code, String reason) {
        if (substitute || !(command instanceof Command.CompleteTask complete)) {
            return Optional.empty();
        }
        TaskAnswer failed = new TaskAnswer.Failed(FailureClass.PERMANENT, TaskError.of(code, reason), Optional.empty());
        return Optional.of(new CommandWork(
                run,
                new Command.CompleteTask(complete.activation(), complete.attempt(), failed),
                List.of(),
                inbox,
                true,
                enqueuedAt));
    }
}
