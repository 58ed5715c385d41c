package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A command for a run that exists. */
public final class CommandWork extends Work {
    final RunKey run;
    final Command command;

    final Origin origin;

    /** Already stands in for a command that could not be stored. */
    final boolean substitute;

    private CommandWork(
            RunKey run,
            Command command,
            List<StoredPayload> payloads,
            Origin origin,
            boolean substitute,
            Instant enqueuedAt) {
        super(payloads, enqueuedAt);
        this.run = requireNonNull(run);
        this.command = requireNonNull(command);
        this.origin = requireNonNull(origin);
        this.substitute = substitute;
    }

    @Override
    TenantId tenant() {
        return run.tenant();
    }

    public static CommandWork of(RunKey run, Command command, Instant enqueuedAt) {
        return new CommandWork(run, command, List.of(), new Origin.Engine(), false, enqueuedAt);
    }

    /** Goes on with what a decision left behind at its bound. */
    static CommandWork continuation(RunKey run, Instant enqueuedAt) {
        return of(run, new Command.ContinueRun(), enqueuedAt);
    }

    /** Whether the state alone says that this must be done: a shard that stops leaves it to its successor. */
    boolean canWait() {
        return command instanceof Command.ContinueRun || command instanceof Command.HandOutTask;
    }

    /** What operators ask, and parents for them. */
    boolean isControl() {
        return command instanceof ControlCommand
                || (command instanceof Command.Deliver deliver && deliver.message() instanceof Message.Control);
    }

    /** A task's result, with what must be stored beside it. */
    public static CommandWork result(
            RunKey run, Command.CompleteTask command, List<StoredPayload> payloads, Instant enqueuedAt) {
        return new CommandWork(run, command, payloads, new Origin.Engine(), false, enqueuedAt);
    }

    static CommandWork message(
            RunKey run, Command command, List<StoredPayload> payloads, InboxMessage inbox, Instant enqueuedAt) {
        return new CommandWork(run, command, payloads, new Origin.Inbound(inbox), false, enqueuedAt);
    }

    /**
     * A letter, for the receiver's loop; what it says is read here.
     *
     * @param after a moment of its node, as a number that grows: an earlier letter of the pair may lie in the receiver's
     *     inbox since before then, and goes first
     */
    public static CommandWork letter(Letter letter, long after, Runnable delivered, Instant enqueuedAt) {
        return letter(letter, Optional.empty(), after, delivered, enqueuedAt);
    }

    /** A letter that another process left in the inbox. */
    static CommandWork letter(Letter letter, InboxMessage inbox, Instant enqueuedAt) {
        return letter(letter, Optional.of(inbox), 0, () -> {}, enqueuedAt);
    }

    private static CommandWork letter(
            Letter letter, Optional<InboxMessage> inbox, long after, Runnable delivered, Instant enqueuedAt) {
        LetterKey key = letter.key();
        Letters.Content content = Letters.read(letter.content());
        return new CommandWork(
                key.to(),
                Letters.command(key, content),
                List.of(),
                new Origin.Post(key, content.correlation(), inbox, after, delivered),
                false,
                enqueuedAt);
    }

    /** What somebody outside asks. */
    public static CommandWork call(CallRequest request, CompletableFuture<CallAnswer> answer, Instant enqueuedAt) {
        Optional<ReceiptKey> receipt = request.idempotencyKey()
                .map(key -> new ReceiptKey(
                        request.run().tenant(), "run:" + request.run().run(), key));
        return new CommandWork(
                request.run(),
                request.command(),
                request.payloads(),
                new Origin.Caller(request, receipt, answer),
                false,
                enqueuedAt);
    }

    /** Tells whoever waits outside that it can't be done now. */
    public void busy(String reason, Duration retryAfter) {
        if (origin instanceof Origin.Caller caller) {
            caller.answer().complete(new CallAnswer.Busy(reason, retryAfter));
        }
    }

    @Override
    Optional<ReceiptKey> receipt() {
        return origin.receipt();
    }

    public RunKey run() {
        return run;
    }

    /**
     * The same answer, given by the attempt that is open: it found what one before it had recorded. As an answer of that
     * one it would say nothing new, if the run could make no use of it, and the open attempt would stay open.
     */
    CommandWork by(int attempt) {
        if (!(command instanceof Command.CompleteTask complete)) {
            return this;
        }
        return marked(new CommandWork(
                run,
                new Command.CompleteTask(complete.activation(), attempt, complete.answer(), complete.subjectVersion()),
                payloads(),
                origin,
                substitute,
                enqueuedAt));
    }

    private CommandWork marked(CommandWork other) {
        other.from(mark);
        return other;
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
        return Optional.of(marked(new CommandWork(
                run,
                // What it made of its subject stays made.
                new Command.CompleteTask(complete.activation(), complete.attempt(), failed, complete.subjectVersion()),
                List.of(),
                origin,
                true,
                enqueuedAt)));
    }
}
